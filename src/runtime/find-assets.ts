import { catalogOf, type Arches } from '../artifact/catalog/catalog.ts';
import type { Family } from '../common/component-family.ts';
import { ARCHES } from '../common/host.ts';
import type { Cluster } from '../config/cluster.ts';
import { clusterFolder } from '../state/runs.ts';
import type { Assets } from '../task/preflight/prepare-assets.ts';
import { registryAccesses } from './registry-accesses.ts';

/** Which assets, and where they are kept. */
export interface AssetsOptions {
  readonly workdir: string;
  readonly families: readonly Family[];
  readonly offline: boolean;
}

/** What a cluster is made from, once it is known for which architectures it is to be fetched. */
export async function findAssets(cluster: Cluster, options: AssetsOptions): Promise<(arches: Arches) => Assets> {
  const { workdir, families, offline } = options;
  const how = {
    artifacts: cluster.artifacts,
    accesses: await registryAccesses(cluster),
    folder: clusterFolder(workdir, cluster.name),
    offline,
  };
  const all = ARCHES.map((arch) =>
    catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, arch])), families),
  );
  const files = all.flatMap((catalog) => catalog.files);
  const images = all[0]?.images ?? [];
  return (arches) => ({ ...how, files, images, fetch: catalogOf(cluster, arches, families) });
}
