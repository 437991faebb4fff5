import { catalogOf } from '../artifact/catalog/catalog.ts';
import type { Family } from '../common/component-family.ts';
import type { ClusterHost } from '../config/cluster.ts';
import type { ArtifactOptions } from '../resource/artifacts.ts';
import { clusterFolder } from '../state/runs.ts';
import { meetArches } from './find-arches.ts';
import { registryAccesses } from './registry-accesses.ts';
import type { Session } from './session.ts';

/** Which assets, for whom. */
export interface AssetsOptions {
  readonly workdir: string;
  readonly hosts: readonly ClusterHost[];
  readonly families: readonly Family[];
  readonly offline: boolean;
}

/** What hosts need of some families, for their architectures, with all that is needed to fetch it. */
export async function findAssets(session: Session, options: AssetsOptions): Promise<ArtifactOptions> {
  const { cluster } = session;
  const { workdir, hosts, families, offline } = options;
  const { files, images } = catalogOf(cluster, await meetArches(session, hosts), families);
  return {
    files,
    images,
    artifacts: cluster.artifacts,
    accesses: await registryAccesses(cluster),
    folder: clusterFolder(workdir, cluster.name),
    offline,
  };
}
