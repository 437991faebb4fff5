import type { Cluster, ClusterHost } from '../config/model/cluster.ts';

/** The managed lines of /etc/hosts: all hosts, the API endpoint, the cluster registry and `extra.hosts`. */
export function hostsBlock(
  cluster: Cluster,
  host: ClusterHost,
  endpointAt: string | undefined = endpointAddress(cluster, host),
): string {
  const known = blocks.get(cluster) ?? new Map<string | undefined, string>();
  blocks.set(cluster, known);
  const block = known.get(endpointAt) ?? blockFor(cluster, endpointAt);
  known.set(endpointAt, block);
  return block;
}

/** Most hosts have the same block: building it for each of them would take quadratic time and memory. */
const blocks = new WeakMap<Cluster, Map<string | undefined, string>>();

function blockFor(cluster: Cluster, endpointAt: string | undefined): string {
  const { hosts, endpoint, registry, extra } = cluster;
  const registryAt = hosts.find(({ roles }) => roles.includes('registry'))?.internalAddresses[0];
  const ownRegistry = registry.type === 'registry' || registry.type === 'harbor';
  const lines = [
    ...hosts.flatMap(({ name, internalAddresses }) => internalAddresses.map((address) => `${address} ${name}`)),
    ...(endpointAt === undefined ? [] : [`${endpointAt} ${endpoint.domain}`]),
    ...(ownRegistry && registryAt !== undefined ? [`${registryAt} ${registry.name.replace(/:\d+$/, '')}`] : []),
    ...extra.hosts.map(({ address, domain }) => `${address} ${domain}`),
  ];
  return [...new Set(lines)].map((line) => `${line}\n`).join('');
}

/** The address of the API endpoint for this host, preferring a local proxy or API server. Undefined if DNS resolves it. */
export function endpointAddress(
  { endpoint, hosts, firstMaster }: Cluster,
  { roles, internalAddresses }: ClusterHost,
): string | undefined {
  const { external, internal } = endpoint;
  if (endpoint.externalDNS) return undefined;
  const isMaster = roles.includes('master');
  const hasProxy = internal.type === 'haproxy' || internal.type === 'nginx';
  if (hasProxy && roles.includes('worker') && !isMaster) return '127.0.0.1';
  if (internal.type === 'kube-vip') return internal.address;
  if (external.type !== 'none' && external.address !== undefined) return external.address;
  if (isMaster) return internalAddresses[0];
  return hosts.find(({ name }) => name === firstMaster)?.internalAddresses[0];
}
