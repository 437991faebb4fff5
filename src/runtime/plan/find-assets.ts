import { catalogOf, type Arches } from '../../resource/catalog/catalog.ts';
import type { Family } from '../../common/component-family.ts';
import { ARCHES } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { clusterFolder } from '../../state/runs.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { withOwnRegistry } from '../session/own-registry.ts';

/** Which assets, and where they are kept. */
export interface AssetsOptions {
  readonly workdir: string;
  /** What the modules of the pipeline install, by their names. */
  readonly families: Readonly<Record<string, readonly Family[]>>;
  readonly offline: boolean;
}

/** What a plan can only have once hosts and secrets were asked for. */
export interface FoundOut extends Pick<Assets, 'credentials'> {
  readonly arches: Arches;
  /** The modules and tasks that are asked for; all unless told. */
  readonly scopes?: ReadonlySet<string>;
}

/** What a cluster is made from, once it is known for which architectures it is to be fetched and how registries are entered. */
export function findAssets(cluster: Cluster, options: AssetsOptions): (found: FoundOut) => Assets {
  const { workdir, offline } = options;
  const { artifacts } = cluster;
  const folder = clusterFolder(workdir, cluster.name);
  return ({ arches, credentials: told, scopes }) => {
    const families = familiesFor(options.families, scopes);
    const all = ARCHES.map((arch) =>
      catalogOf(cluster, new Map(cluster.hosts.map(({ name }) => [name, arch])), families),
    );
    const files = all.flatMap((catalog) => catalog.files);
    const images = all[0]?.images ?? [];
    const credentials = withOwnRegistry(told, cluster, folder);
    const fetch = catalogOf(cluster, arches, families);
    return { files, images, fetch, artifacts, credentials, folder, offline };
  };
}

/** What the modules that are asked for install; where none of them is, as for a download alone, what all do. */
function familiesFor(families: AssetsOptions['families'], scopes: ReadonlySet<string> | undefined): readonly Family[] {
  const asked = Object.keys(families).filter((module) => scopes?.has(module));
  return (asked.length === 0 ? Object.keys(families) : asked).flatMap((module) => families[module] ?? []);
}
