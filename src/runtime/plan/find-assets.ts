import { ARCHES } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Module } from '../../module/module.ts';
import type { Assets } from '../../resource/assets.ts';
import { catalogOf, type Arches } from '../../resource/catalog/cluster-artifacts.ts';
import { clusterFolder } from '../../state/runs.ts';
import { withOwnRegistry } from '../session/own-registry.ts';

/** Selects the assets that a pipeline installs. */
export interface AssetOptions {
  readonly cluster: Cluster;
  readonly workdir: string;
  /** The modules of the pipeline: only what they install is listed. */
  readonly modules: readonly Module[];
  /** The names of the modules that run; all by default. */
  readonly selected?: ReadonlySet<string>;
  readonly arches: Arches;
  readonly credentials: Assets['credentials'];
  readonly bgpPasswords?: Assets['bgpPasswords'];
  readonly offline: boolean;
}

/** Lists the files and images that modules install, and the subset that must be downloaded for the hosts. */
export function findAssets(options: AssetOptions): Assets {
  const { cluster, workdir, modules, arches, offline } = options;
  const components = componentsOf(options);
  const everyArch = ARCHES.map((arch) => catalogOf(cluster, sameArch(cluster, arch), components));
  const downloads = catalogOf(cluster, arches, components);
  const pushed = modules.flatMap(({ pushes = [] }) => pushes);
  const folder = clusterFolder(workdir, cluster.name);
  return {
    files: everyArch.flatMap(({ files }) => files),
    images: everyArch[0]?.images ?? [],
    downloads: {
      files: downloads.files,
      images: pushed.length === 0 ? downloads.images : catalogOf(cluster, arches, [...components, ...pushed]).images,
    },
    artifacts: cluster.artifacts,
    credentials: withOwnRegistry(options.credentials, cluster, folder),
    ...(options.bgpPasswords && { bgpPasswords: options.bgpPasswords }),
    folder,
    offline,
  };
}

/** Selecting only `prepare-assets` downloads what all modules install. */
function componentsOf({ modules, selected }: AssetOptions) {
  const running = modules.filter(({ name }) => selected === undefined || selected.has(name));
  const components = [running, modules].map((some) => some.flatMap(({ installs = [] }) => installs));
  return [...new Set(components.find((some) => some.length > 0))];
}

const sameArch = ({ hosts }: Cluster, arch: (typeof ARCHES)[number]): Arches =>
  new Map(hosts.map(({ name }) => [name, arch]));

/** For pipelines that install nothing. */
export const noAssets = ({ artifacts }: Cluster): Assets => ({
  files: [],
  images: [],
  downloads: { files: [], images: [] },
  artifacts,
  credentials: {},
  folder: '',
  offline: false,
});
