import type { RegistryAccess } from '../../artifact/oci/registry.ts';
import type { RegistryEntry, RegistryHost } from '../../config/registry-hosts.ts';
import { containerdHosts, type RegistryWay } from '../../template/containerd-hosts.ts';
import { CONTAINERD, type ContainerdOptions } from '../../template/containerd.ts';
import type { TreeFile } from '../common/file-tree.ts';

/** Names, passwords and certificates by host. */
export type Accesses = Readonly<Record<string, RegistryAccess>>;

/** The files below certs.d: how containerd gets at each registry, and the certificates it trusts there. */
export function registryFiles(hosts: readonly RegistryHost[], accesses: Accesses): readonly TreeFile[] {
  const files = hosts.map((host) => {
    const own = waysTo(host, accesses);
    const mirrors = host.mirrors.flatMap((mirror) =>
      waysTo(mirror, accesses).map((way) => ({ ...way, path: mirror.path })),
    );
    const content = containerdHosts(own.at(-1)!, [...mirrors, ...own.slice(0, -1)]);
    const secret = [...mirrors, ...own].some(({ login }) => login !== undefined);
    return { name: `${host.host}/hosts.toml`, content, secret };
  });
  const entries = new Set(hosts.flatMap((host) => [host, ...host.mirrors]).map(({ host }) => host));
  return [...files, ...[...entries].flatMap((host) => certificates(host, accesses[host] ?? {}))].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** Names and passwords as config.toml has them. */
export function registryLogins(hosts: readonly RegistryHost[], accesses: Accesses): ContainerdOptions['logins'] {
  const all = hosts.flatMap((host) => [host, ...host.mirrors]);
  return Object.fromEntries(
    all.flatMap(({ host }) => {
      const login = loginOf(accesses[host]);
      return login ? [[serverOf(host), login]] : [];
    }),
  );
}

/** In the order in which they are tried. */
function waysTo({ host, skipVerify, plainHttp }: RegistryEntry, accesses: Accesses): readonly RegistryWay[] {
  const access = accesses[host] ?? {};
  const folder = `${CONTAINERD.certs}/${host}`;
  const way = (scheme: string): RegistryWay => ({
    origin: `${scheme}://${serverOf(host)}`,
    path: '',
    skipVerify: scheme === 'https' && skipVerify,
    ca: scheme === 'https' && access.ca !== undefined ? `${folder}/ca.crt` : undefined,
    client:
      scheme === 'https' && access.cert !== undefined && access.key !== undefined
        ? { cert: `${folder}/client.cert`, key: `${folder}/client.key` }
        : undefined,
    login: loginOf(access),
  });
  if (!plainHttp) return [way('https')];
  return skipVerify ? [way('https'), way('http')] : [way('http')];
}

const certificates = (host: string, { ca, cert, key }: RegistryAccess): readonly TreeFile[] => [
  ...(ca === undefined ? [] : [{ name: `${host}/ca.crt`, content: ca, secret: false }]),
  ...(cert === undefined || key === undefined
    ? []
    : [
        { name: `${host}/client.cert`, content: cert, secret: false },
        { name: `${host}/client.key`, content: key, secret: true },
      ]),
];

const loginOf = ({ username, password }: RegistryAccess = {}) =>
  username !== undefined && password ? { username, password: password.reveal() } : undefined;

const serverOf = (host: string) => (host === 'docker.io' ? 'registry-1.docker.io' : host);
