import type { Assets } from '../../../resource/assets.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { registryHosts, type RegistryHost } from '../../../config/model/registry-hosts.ts';

/** The settings that every container runtime is configured from. */
export interface RuntimeSettings {
  /** The version of its release; empty if it is installed from packages. */
  readonly version: string;
  readonly dataDir: string | undefined;
  readonly fromPackages: boolean;
  readonly sandboxImage: string;
  readonly registries: readonly RegistryHost[];
  readonly credentials: Assets['credentials'];
}

export function runtimeSettings(cluster: Cluster, assets: Assets): RuntimeSettings {
  const { type, dataDir, from } = cluster.kubernetes.containerRuntime;
  return {
    version: assets.files.find(({ name }) => name === type)?.version ?? '',
    dataDir,
    fromPackages: from === 'packages',
    sandboxImage: sandboxImageOf(assets),
    registries: registryHosts(cluster),
    credentials: assets.credentials,
  };
}

const sandboxImageOf = ({ images }: Assets): string => images.find(({ name }) => name === 'pause')?.ref ?? '';

/** The versions recorded by `runTestPod`, which runs again when they change. */
export function testedVersions(assets: Assets, names: readonly string[]): string {
  const files = assets.files.filter(({ name }) => names.includes(name));
  const versions = new Set(files.map(({ name, version }) => `${name} ${version}`));
  return `${[...versions, sandboxImageOf(assets)].join('\n')}\n`;
}

/** Docker Hub mirrors as URLs, without those that have a path: Docker and iSulad support no others. */
export const hubMirrors = ({ registries }: RuntimeSettings): readonly string[] =>
  (registries.find(({ host }) => host === 'docker.io')?.mirrors ?? [])
    .filter(({ path }) => path === '')
    .map(({ host, plainHttp, skipVerify }) => `${plainHttp && !skipVerify ? 'http' : 'https'}://${host}`);

/** Registries that use plain HTTP or whose certificate is not verified. */
export const insecureHosts = ({ registries }: RuntimeSettings): readonly string[] => [
  ...new Set(
    registries
      .flatMap((registry) => [registry, ...registry.mirrors])
      .filter(({ skipVerify, plainHttp }) => skipVerify || plainHttp)
      .map(({ host }) => host),
  ),
];
