import type { Cluster } from './cluster.ts';
import { mirrorPlaces, PUBLIC_REGISTRIES, type MirrorPlace } from './registry-mirrors.ts';
import type { SecretSource } from './secret-source.ts';

/** How a registry is entered. */
export interface RegistryEntry {
  /** "registry.k8s.io", "10.0.0.1:5000" */
  readonly host: string;
  readonly auth: { readonly username: string; readonly password: SecretSource } | undefined;
  /** Folder on this machine with ca.crt, and client.cert and client.key if asked for. */
  readonly ca: string | undefined;
  /** Any certificate is accepted. */
  readonly skipVerify: boolean;
  /** No TLS. With `skipVerify` TLS is tried first. */
  readonly plainHttp: boolean;
}

/** A registry that is asked instead of another one. */
export interface RegistryMirror extends RegistryEntry {
  /** What stands there before the name of an image: "registry.k8s.io", or nothing. */
  readonly path: string;
}

/** A registry as the container runtimes of all hosts are to know it. */
export interface RegistryHost extends RegistryEntry {
  /** Asked first, in order. */
  readonly mirrors: readonly RegistryMirror[];
}

/** Every registry that a cluster file says something about, in the order of the alphabet: the same for all runtimes. */
export function registryHosts({ kubernetes, registry, artifacts }: Cluster): readonly RegistryHost[] {
  const { registryMirrors, insecureRegistries } = kubernetes.containerRuntime;
  const entryOf = (host: string, url?: URL): RegistryEntry => {
    const { username, password, certsPath, skipTLSVerify = false, plainHTTP = false } = registry.auths[host] ?? {};
    // As docker means it: TLS that nobody checks, or none.
    const insecure = insecureRegistries.includes(host);
    return {
      host,
      auth: username !== undefined && password !== undefined ? { username, password } : undefined,
      ca: certsPath,
      skipVerify: skipTLSVerify || insecure,
      plainHttp: plainHTTP || insecure || url?.protocol === 'http:',
    };
  };
  const mirrorsOf = (host: string): readonly RegistryMirror[] => [
    ...(PUBLIC_REGISTRIES.includes(host) ? ownPlaces(registry) : []).map((place) => ({
      ...entryOf(place.host),
      path: place.path,
    })),
    ...(host === 'docker.io' ? registryMirrors : []).map((text) => {
      const url = new URL(text.includes('://') ? text : `https://${text}`);
      return { ...entryOf(url.host, url), path: url.pathname.split('/').filter(Boolean).join('/') };
    }),
    ...(PUBLIC_REGISTRIES.includes(host) ? mirrorPlaces(host, artifacts) : []).map((place) => ({
      ...entryOf(place.host),
      path: place.path,
    })),
  ];
  const named = [
    ...PUBLIC_REGISTRIES.filter((host) => mirrorsOf(host).length > 0),
    ...(registry.type === 'none' ? [] : [registry.name]),
    ...insecureRegistries,
    ...Object.keys(registry.auths),
  ];
  return [...new Set(named)].sort().map((host) => ({ ...entryOf(host), mirrors: mirrorsOf(host) }));
}

/** Where the registry of the cluster has images of others, as they are named when they are pushed there. */
function ownPlaces(registry: Cluster['registry']): readonly MirrorPlace[] {
  if (registry.type === 'none') return [];
  const { name: host, namespaceOverride: path } = registry;
  // Harbor has no images outside of projects.
  const homeless = registry.type === 'harbor' && path === '' ? [{ host, path: 'library' }] : [];
  return [{ host, path }, ...homeless];
}
