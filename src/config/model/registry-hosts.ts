import type { Cluster } from './cluster.ts';
import { mirrorsOf, PUBLIC_REGISTRIES, type MirrorLocation } from './registry-mirrors.ts';
import type { SecretSource } from './secrets.ts';

/** How to connect to a registry. */
export interface RegistryEntry {
  /** The host and optional port, such as "registry.k8s.io" or "10.0.0.1:5000". */
  readonly host: string;
  readonly auth: { readonly username: string; readonly password: SecretSource } | undefined;
  /** Folder on this machine with ca.crt and, for client authentication, client.cert and client.key. */
  readonly ca: string | undefined;
  /** Whether to accept any certificate. */
  readonly skipVerify: boolean;
  /** Whether to use HTTP. With `skipVerify`, HTTPS is tried first. */
  readonly plainHttp: boolean;
}

/** A mirror of a registry. */
export interface RegistryMirror extends RegistryEntry {
  /** Prefix of image names on the mirror, such as "registry.k8s.io", or empty. */
  readonly path: string;
}

/** The configuration of a registry for the container runtimes. */
export interface RegistryHost extends RegistryEntry {
  /** Mirrors to try before the registry itself, in this order. */
  readonly mirrors: readonly RegistryMirror[];
}

/** Returns all registries that the cluster file configures, sorted by name. */
export function registryHosts({ kubernetes, registry, artifacts }: Cluster): readonly RegistryHost[] {
  const { registryMirrors, insecureRegistries } = kubernetes.containerRuntime;
  const entryOf = (host: string, url?: URL): RegistryEntry => {
    const { username, password, certsPath, skipTLSVerify = false, plainHTTP = false } = registry.auths[host] ?? {};
    // As in Docker: HTTPS without verification, then HTTP.
    const insecure = insecureRegistries.includes(host);
    return {
      host,
      auth: username !== undefined && password !== undefined ? { username, password } : undefined,
      ca: certsPath,
      skipVerify: skipTLSVerify || insecure,
      plainHttp: plainHTTP || insecure || url?.protocol === 'http:',
    };
  };
  const allMirrorsOf = (host: string): readonly RegistryMirror[] => [
    ...(PUBLIC_REGISTRIES.includes(host) ? ownMirrors(registry) : []).map((mirror) => ({
      ...entryOf(mirror.host),
      path: mirror.path,
    })),
    ...(host === 'docker.io' ? registryMirrors : []).map((text) => {
      const url = new URL(text.includes('://') ? text : `https://${text}`);
      return { ...entryOf(url.host, url), path: url.pathname.split('/').filter(Boolean).join('/') };
    }),
    ...(PUBLIC_REGISTRIES.includes(host) ? mirrorsOf(host, artifacts) : []).map((mirror) => ({
      ...entryOf(mirror.host),
      path: mirror.path,
    })),
  ];
  const named = [
    ...PUBLIC_REGISTRIES.filter((host) => allMirrorsOf(host).length > 0),
    ...(registry.type === 'none' ? [] : [registry.name]),
    ...insecureRegistries,
    ...Object.keys(registry.auths),
  ];
  return [...new Set(named)].sort().map((host) => ({ ...entryOf(host), mirrors: allMirrorsOf(host) }));
}

/** Returns the private registry of the cluster as a mirror, with the paths that contain upstream images. */
function ownMirrors(registry: Cluster['registry']): readonly MirrorLocation[] {
  if (registry.type === 'none') return [];
  const { name: host, namespaceOverride: path } = registry;
  // Harbor requires a project, so images without one are pushed to "library".
  const library = registry.type === 'harbor' && path === '' ? [{ host, path: 'library' }] : [];
  return [{ host, path }, ...library];
}
