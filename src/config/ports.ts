import type { Cluster, ClusterHost, NetworkPlugin } from './cluster.ts';

/** A port, or all from one to another, that others reach on a host. */
export interface OpenPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** The last one of a range. */
  readonly to?: number;
  /** What listens there. */
  readonly for: string;
}

/** What a host is reached by. */
export interface OpenPorts {
  readonly ports: readonly OpenPort[];
  /** Protocols beside TCP and UDP. */
  readonly protocols: readonly ('vrrp' | 'ipip')[];
}

/** Exactly what the roles of a host need to be open, and SSH. */
export function portsOf(cluster: Cluster, host: ClusterHost): OpenPorts {
  const { roles } = host;
  const isNode = roles.includes('master') || roles.includes('worker');
  const ports = [
    tcp(host.login.port, 'ssh'),
    ...(roles.includes('master') ? masterPorts(cluster) : []),
    ...(hasEtcd(cluster, host) ? [tcp(2379, 'etcd clients'), tcp(2380, 'etcd peers')] : []),
    ...(isNode ? [...NODE_PORTS, ...networkPorts(cluster.network.plugin)] : []),
    ...(roles.includes('loadbalancer') ? [tcp(cluster.endpoint.port, 'load balancer')] : []),
    ...(roles.includes('registry') ? registryPorts(cluster) : []),
    ...(isTimeServer(cluster, host) ? [udp(123, 'time server')] : []),
  ];
  const key = ({ protocol, port }: OpenPort) => `${protocol} ${port}`;
  return {
    ports: [...new Map(ports.toReversed().map((port) => [key(port), port])).values()].toReversed(),
    protocols: [
      ...(roles.includes('loadbalancer') && hasKeepalived(cluster) ? ['vrrp' as const] : []),
      ...(isNode && usesIpip(cluster.network.plugin) ? ['ipip' as const] : []),
    ],
  };
}

const tcp = (port: number, what: string): OpenPort => ({ protocol: 'tcp', port, for: what });
const udp = (port: number, what: string): OpenPort => ({ protocol: 'udp', port, for: what });

const API_SERVER = 6443;

const masterPorts = ({ endpoint }: Cluster): readonly OpenPort[] => [
  tcp(API_SERVER, 'kube-apiserver'),
  // Without a load balancer of its own the endpoint is the API server itself, or kube-vip beside it.
  ...(endpoint.external.type === 'none' ? [tcp(endpoint.port, 'kube-apiserver')] : []),
  tcp(10_257, 'kube-controller-manager'),
  tcp(10_259, 'kube-scheduler'),
];

const NODE_PORTS: readonly OpenPort[] = [
  tcp(10_250, 'kubelet'),
  tcp(10_256, 'kube-proxy health'),
  { ...tcp(30_000, 'node ports'), to: 32_767 },
  { ...udp(30_000, 'node ports'), to: 32_767 },
];

const hasEtcd = ({ etcd }: Cluster, { roles }: ClusterHost): boolean => {
  switch (etcd.type) {
    case 'kubexm':
      return roles.includes('etcd');
    case 'kubeadm':
      return roles.includes('master');
    case 'external':
      return false;
  }
};

function networkPorts(plugin: NetworkPlugin): readonly OpenPort[] {
  switch (plugin.type) {
    case 'calico':
      return [
        tcp(179, 'calico BGP'),
        ...(plugin.typha ? [tcp(5473, 'calico typha')] : []),
        ...(plugin.vxlanMode === 'Never' ? [] : [udp(4789, 'calico VXLAN')]),
      ];
    case 'flannel':
      return flannelPorts(plugin.backend);
    case 'cilium':
      return [udp(8472, 'cilium VXLAN'), tcp(4240, 'cilium health'), tcp(4244, 'cilium hubble')];
    case 'kube-ovn':
      return [udp(6081, 'kube-ovn GENEVE'), { ...tcp(6641, 'kube-ovn databases'), to: 6644 }];
    case 'none':
      return [];
  }
}

function flannelPorts(backend: string): readonly OpenPort[] {
  if (backend === 'vxlan') return [udp(8472, 'flannel VXLAN')];
  if (backend === 'wireguard') return [{ ...udp(51_820, 'flannel WireGuard'), to: 51_821 }];
  return [];
}

const usesIpip = (plugin: NetworkPlugin) => plugin.type === 'calico' && plugin.ipipMode !== 'Never';

const hasKeepalived = ({ endpoint: { external } }: Cluster) =>
  external.type === 'kubexm-kh' || external.type === 'kubexm-kn';

function registryPorts({ registry }: Cluster): readonly OpenPort[] {
  if (registry.type !== 'registry' && registry.type !== 'harbor') return [];
  const [, port = '443'] = registry.name.split(':');
  return [tcp(Number(port), 'image registry')];
}

const isTimeServer = ({ system: { time } }: Cluster, { name }: ClusterHost) =>
  time.type === 'in-cluster' && time.host === name;
