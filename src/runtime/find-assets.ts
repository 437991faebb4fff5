import { catalogOf, type Arches } from '../artifact/catalog/catalog.ts';
import type { Family } from '../common/component-family.ts';
import { ARCHES } from '../common/host.ts';
import type { Cluster } from '../config/cluster.ts';
import { clusterFolder } from '../state/runs.ts';
import type { Assets } from '../task/preflight/prepare-assets.ts';
import { withOwnRegistry } from './own-registry.ts';

/** Which assets, and where they are kept. */
export interface AssetsOptions {
  readonly workdir: string;
  readonly families: readonly Family[];
  readonly offline: boolean;
}

/** What a plan can only have once hosts and secrets were asked for. */
export interface FoundOut extends Pick<Assets, 'accesses'> {
  readonly arches: Arches;
}

/** What a cluster is made from, once it is known for which architectures it is to be fetched and how registries are entered. */
export function findAssets(cluster: Cluster, options: AssetsOptions): (found: FoundOut) => Assets {
  const { workdir, families, offline } = options;
  const { artifacts } = cluster;
  const folder = clusterFolder(workdir, cluster.name);
  const all = ARCHES.map((arch) =>
    catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, arch])), families),
  );
  const files = all.flatMap((catalog) => catalog.files);
  const images = all[0]?.images ?? [];
  return ({ arches, accesses: told }) => {
    const accesses = withOwnRegistry(told, cluster, folder);
    const fetch = catalogOf(cluster, arches, families);
    return { files, images, fetch, artifacts, accesses, folder, offline };
  };
}
