import type { RegistryEntry, RegistryHost } from '../../../config/model/registry-hosts.ts';
import { containerdHosts, type RegistryEndpoint } from '../../../template/containerd-hosts.ts';
import { CONTAINERD, type ContainerdOptions } from '../../../template/containerd.ts';
import type { TreeFile } from '../../common/file-tree.ts';
import { certificateFiles, loginOf, loginsByHost, type CredentialsByHost } from '../shared/registry-access.ts';

/** The files below certs.d: endpoints, mirrors and certificates of each registry. */
export function registryFiles(hosts: readonly RegistryHost[], credentials: CredentialsByHost): readonly TreeFile[] {
  const files = hosts.map((host) => {
    const own = endpointsOf(host, credentials);
    const mirrors = host.mirrors.flatMap((mirror) =>
      endpointsOf(mirror, credentials).map((endpoint) => ({ ...endpoint, path: mirror.path })),
    );
    const content = containerdHosts(own.at(-1)!, [...mirrors, ...own.slice(0, -1)]);
    const secret = [...mirrors, ...own].some(({ login }) => login !== undefined);
    return { name: `${host.host}/hosts.toml`, content, secret };
  });
  return [...files, ...certificateFiles(hosts, credentials)].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Registry credentials for config.toml. */
export const registryLogins = (
  hosts: readonly RegistryHost[],
  credentials: CredentialsByHost,
): ContainerdOptions['logins'] => loginsByHost(hosts, credentials, serverOf);

/** The endpoints of a registry, in the order in which they are tried. */
function endpointsOf(
  { host, skipVerify, plainHttp }: RegistryEntry,
  credentials: CredentialsByHost,
): readonly RegistryEndpoint[] {
  const access = credentials[host] ?? {};
  const folder = `${CONTAINERD.certs}/${host}`;
  const endpoint = (scheme: string): RegistryEndpoint => ({
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
  if (!plainHttp) return [endpoint('https')];
  return skipVerify ? [endpoint('https'), endpoint('http')] : [endpoint('http')];
}

const serverOf = (host: string) => (host === 'docker.io' ? 'registry-1.docker.io' : host);
