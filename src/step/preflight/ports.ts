import type { Cluster, ClusterHost } from '../../config/cluster.ts';
import { hasRole, isNode } from './check.ts';

/** A port that a part of the cluster listens on. */
export interface ClusterPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** What listens there. */
  readonly by: string;
}

/** The ports that have to be free on a host, by its roles. */
export function portsOf(cluster: Cluster, host: ClusterHost): readonly ClusterPort[] {
  const { endpoint, etcd } = cluster;
  const master = hasRole(host, 'master');
  const balances =
    (hasRole(host, 'loadbalancer') && endpoint.external.type.startsWith('kubexm-')) ||
    (hasRole(host, 'worker') && !master && ['haproxy', 'nginx'].includes(endpoint.internal.type));
  const ports = [
    ...(master
      ? [tcp(apiPort(cluster), 'kube-apiserver'), tcp(10257, 'kube-controller-manager'), tcp(10259, 'kube-scheduler')]
      : []),
    ...(balances ? [tcp(endpoint.port, 'the load balancer')] : []),
    ...(hasRole(host, 'etcd') && etcd.type !== 'external'
      ? [tcp(2379, 'etcd'), tcp(2380, 'etcd'), tcp(2381, 'etcd')]
      : []),
    ...(isNode(host)
      ? [
          tcp(10250, 'kubelet'),
          tcp(10248, 'kubelet'),
          tcp(10249, 'kube-proxy'),
          tcp(10256, 'kube-proxy'),
          ...overlayPorts(cluster),
        ]
      : []),
  ];
  // An API server and a load balancer may want the same port; it is asked for once.
  return ports.filter((each, place) => ports.findIndex((other) => sameAs(each, other)) === place);
}

/** Where API servers listen. */
export const apiPort = ({ kubernetes }: Cluster): number =>
  Number(kubernetes.apiserver.extraArgs['secure-port'] ?? 6443);

/** What the network plugin talks over from node to node. */
export function overlayPorts({ network: { plugin } }: Cluster): readonly ClusterPort[] {
  switch (plugin.type) {
    case 'calico':
      return plugin.vxlanMode === 'Never' ? [tcp(179, 'calico')] : [udp(4789, 'calico')];
    case 'flannel':
      return { vxlan: [udp(8472, 'flannel')], wireguard: [udp(51_820, 'flannel')], 'host-gw': [] }[plugin.backend];
    case 'cilium':
      return [udp(8472, 'cilium'), tcp(4240, 'cilium')];
    case 'kube-ovn':
      return [udp(6081, 'kube-ovn')];
    case 'none':
      return [];
  }
}

const tcp = (port: number, by: string): ClusterPort => ({ protocol: 'tcp', port, by });
const udp = (port: number, by: string): ClusterPort => ({ protocol: 'udp', port, by });
const sameAs = (one: ClusterPort, other: ClusterPort) => one.protocol === other.protocol && one.port === other.port;
