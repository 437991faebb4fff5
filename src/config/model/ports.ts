import { isNode } from '../../common/host.ts';
import { pushPort, registryPort } from './own-registry.ts';
import type { Cluster, ClusterHost, Etcd, ExternalEtcd } from './cluster.ts';
import { networkPorts, usesIpip } from './network-plugins.ts';
import { held, inCluster, open, tcp, udp, type OpenPort, type TablePort } from './port-table.ts';

/** Ports and protocols that a firewall must allow. */
export interface OpenPorts {
  readonly ports: readonly OpenPort[];
  /** IP protocols other than TCP and UDP. */
  readonly protocols: readonly ('vrrp' | 'ipip')[];
}

/** Returns the ports and protocols to open on a host for its roles and for SSH. */
export function portsOf(cluster: Cluster, host: ClusterHost): OpenPorts {
  const { roles } = host;
  return {
    ports: unique(tableOf(cluster, host).filter(({ use }) => use !== 'held')),
    protocols: [
      ...(roles.includes('loadbalancer') && hasKeepalived(cluster) ? ['vrrp' as const] : []),
      ...(isNode(host) && usesIpip(cluster.network.plugin) ? ['ipip' as const] : []),
    ],
  };
}

/** Returns the ports that cluster components bind on a host; they must be free before the installation. */
export const heldPorts = (cluster: Cluster, host: ClusterHost): readonly OpenPort[] =>
  unique(tableOf(cluster, host).filter(({ use }) => use !== 'open'));

/** Returns the ports that the network plugin uses between nodes. */
export const overlayPorts = ({ network: { plugin } }: Cluster): readonly OpenPort[] =>
  networkPorts(plugin).filter(({ use }) => use === 'both');

/** Returns the port that the API servers listen on. */
export const apiPort = ({ kubernetes }: Cluster): number =>
  Number(kubernetes.apiserver.extraArgs['secure-port'] ?? 6443);

/** The health check port of haproxy and nginx, on loopback. */
export const BALANCER_HEALTH_PORT = 8404;

/** Returns the etcd settings if etcd runs on the host. With kubeadm, etcd runs on the masters. */
export function etcdOn(
  { etcd }: Cluster,
  { roles }: Pick<ClusterHost, 'roles'>,
): Exclude<Etcd, ExternalEtcd> | undefined {
  switch (etcd.type) {
    case 'kubexm':
      return roles.includes('etcd') ? etcd : undefined;
    case 'kubeadm':
      return roles.includes('master') ? etcd : undefined;
    case 'external':
      return undefined;
  }
}

function tableOf(cluster: Cluster, host: ClusterHost): readonly TablePort[] {
  const { roles } = host;
  return [
    open(tcp(host.login.port, 'ssh')),
    ...(roles.includes('master') ? masterPorts(cluster) : []),
    ...(etcdOn(cluster, host) ? ETCD_PORTS : []),
    ...(isNode(host) ? [...NODE_PORTS, ...networkPorts(cluster.network.plugin).map(inCluster)] : []),
    ...balancerPorts(cluster, host),
    ...(roles.includes('registry') ? registryPorts(cluster) : []),
    // May be in use before the installation: another time service listens on it until chrony replaces that service.
    ...(isTimeServer(cluster, host) ? [inCluster(open(udp(123, 'time server')))] : []),
  ];
}

/** Removes duplicates, because the API server and a load balancer may use the same port. */
function unique(ports: readonly TablePort[]): readonly OpenPort[] {
  return ports.filter(
    (each, index) =>
      ports.findIndex(({ protocol, port }) => protocol === each.protocol && port === each.port) === index,
  );
}

const masterPorts = (cluster: Cluster): readonly TablePort[] => [
  tcp(apiPort(cluster), 'kube-apiserver'),
  // Without an external load balancer, clients connect to the API server, directly or through kube-vip.
  ...(cluster.endpoint.external.type === 'none' ? [open(tcp(cluster.endpoint.port, 'kube-apiserver'))] : []),
  // These components listen on loopback only.
  held(tcp(10_257, 'kube-controller-manager')),
  held(tcp(10_259, 'kube-scheduler')),
];

const ETCD_PORTS = [
  inCluster(tcp(2379, 'etcd clients')),
  inCluster(tcp(2380, 'etcd peers')),
  held(tcp(2381, 'etcd metrics')),
];

const NODE_PORTS: readonly TablePort[] = [
  inCluster(tcp(10_250, 'kubelet')),
  held(tcp(10_248, 'kubelet health')),
  held(tcp(10_249, 'kube-proxy metrics')),
  // Load balancers outside the cluster use it for health checks.
  tcp(10_256, 'kube-proxy health'),
  { ...open(tcp(30_000, 'node ports')), to: 32_767 },
  { ...open(udp(30_000, 'node ports')), to: 32_767 },
];

/** Returns the load balancer ports. An internal load balancer runs on each worker and serves only that worker. */
function balancerPorts({ endpoint }: Cluster, { roles }: ClusterHost): readonly TablePort[] {
  const port = tcp(endpoint.port, 'load balancer');
  const health = held(tcp(BALANCER_HEALTH_PORT, 'load balancer health'));
  if (roles.includes('loadbalancer'))
    return endpoint.external.type.startsWith('kubexm-') ? [port, health] : [open(port)];
  const isLocal = endpoint.internal.type === 'haproxy' || endpoint.internal.type === 'nginx';
  return isLocal && roles.includes('worker') && !roles.includes('master') ? [held(port), health] : [];
}

const hasKeepalived = ({ endpoint: { external } }: Cluster) =>
  external.type === 'kubexm-kh' || external.type === 'kubexm-kn';

function registryPorts({ registry }: Cluster): readonly TablePort[] {
  if (registry.type !== 'registry' && registry.type !== 'harbor') return [];
  const ports = new Set([registryPort(registry), pushPort(registry)]);
  return [...ports].map((port) => tcp(port, 'image registry'));
}

const isTimeServer = ({ system: { time } }: Cluster, { name }: ClusterHost) =>
  time.type === 'in-cluster' && time.host === name;
