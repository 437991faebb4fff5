import type { ImageItem } from '../../../resource/item.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { registryHosts, type RegistryHost } from '../../../config/model/registry-hosts.ts';
import type { Programs } from '../../transfer/install-program.ts';
import type { CredentialsByHost } from './registry-access.ts';

/** What a container runtime is installed from. */
export interface RuntimeAssets extends Programs {
  readonly images: readonly ImageItem[];
  readonly credentials: CredentialsByHost;
  /** Hosts use no network for what they are made from. */
  readonly offline: boolean;
}

/** What of a cluster any container runtime is made of. */
export interface RuntimeSettings {
  readonly dataDir: string | undefined;
  readonly fromPackages: boolean;
  readonly sandboxImage: string;
  readonly registries: readonly RegistryHost[];
  readonly credentials: CredentialsByHost;
}

export function runtimeSettings(cluster: Cluster, { images, credentials }: RuntimeAssets): RuntimeSettings {
  const { dataDir, from } = cluster.kubernetes.containerRuntime;
  return {
    dataDir,
    fromPackages: from === 'packages',
    sandboxImage: images.find(({ name }) => name === 'pause')?.ref ?? '',
    registries: registryHosts(cluster),
    credentials,
  };
}

/** For being undone: what was written is kept on the host. */
export const noSettings = ({ kubernetes: { containerRuntime } }: Cluster): RuntimeSettings => ({
  dataDir: containerRuntime.dataDir,
  fromPackages: containerRuntime.from === 'packages',
  sandboxImage: '',
  registries: [],
  credentials: {},
});

/** Mirrors of Docker Hub as URLs: all that docker and iSulad know, and only those without a path. */
export const hubMirrors = ({ registries }: RuntimeSettings): readonly string[] =>
  (registries.find(({ host }) => host === 'docker.io')?.mirrors ?? [])
    .filter(({ path }) => path === '')
    .map(({ host, plainHttp, skipVerify }) => `${plainHttp && !skipVerify ? 'http' : 'https'}://${host}`);

/** Registries whose certificate is not checked, or that have none. */
export const insecureHosts = ({ registries }: RuntimeSettings): readonly string[] => [
  ...new Set(
    registries
      .flatMap((registry) => [registry, ...registry.mirrors])
      .filter(({ skipVerify, plainHttp }) => skipVerify || plainHttp)
      .map(({ host }) => host),
  ),
];

/** What the runtime is made of, as the note of its proof has it: another one is proven anew. */
export const versionsOf = ({ files }: Pick<RuntimeAssets, 'files'>, names: readonly string[]): readonly string[] => [
  ...new Set(files.filter(({ name }) => names.includes(name)).map(({ name, version }) => `${name} ${version}`)),
];
