import { isNode } from '../../../common/host.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { apiPort, etcdOn, overlayPorts } from '../../../config/model/ports.ts';
import { hasRole, type HostReport } from '../check.ts';
import type { Connection } from './attempt.ts';

/**
 * The connections to try: a few per host instead of all pairs. Nodes form a ring; each node calls one master and is
 * called by one. etcd members form another ring, and every master calls every etcd member.
 */
export function connectionsAmong(cluster: Cluster, hosts: readonly ClusterHost[]): readonly Connection[] {
  const nodes = hosts.filter(isNode);
  const masters = hosts.filter((host) => hasRole(host, 'master'));
  const members = hosts.filter((host) => etcdOn(cluster, host));
  const overlay = overlayPorts(cluster);
  const kubelet = { protocol: 'tcp', port: 10_250, purpose: 'kubelet' } as const;
  const api = { protocol: 'tcp', port: apiPort(cluster), purpose: 'kube-apiserver' } as const;
  const callers = hosts.filter((host) => isNode(host) || hasRole(host, 'loadbalancer'));
  const wanted: readonly Connection[] = [
    ...ring(nodes).flatMap(([from, to]) =>
      overlay.map(({ protocol, port, for: purpose }) => ({ from, to, protocol, port, purpose })),
    ),
    ...nodes.flatMap((to, index) =>
      masters
        .slice(index % masters.length)
        .slice(0, 1)
        .map((from) => ({ from, to, ...kubelet })),
    ),
    ...callers.flatMap((from, index) =>
      masters
        .slice(index % masters.length)
        .slice(0, 1)
        .map((to) => ({ from, to, ...api })),
    ),
    ...masters.flatMap((from) =>
      members.map((to) => ({ from, to, protocol: 'tcp' as const, port: 2379, purpose: 'etcd' })),
    ),
    ...ring(members).flatMap(([one, other]) => [etcdPeers(one, other), etcdPeers(other, one)]),
  ];
  const different = wanted.filter(({ from, to }) => from.name !== to.name);
  return [...new Map(different.map((each) => [keyOf(each), each])).values()];
}

/** Pairs each host with the next one, and the last with the first. */
const ring = (hosts: readonly ClusterHost[]): readonly (readonly [ClusterHost, ClusterHost])[] =>
  hosts.length < 2 ? [] : hosts.map((host, index) => [host, hosts[(index + 1) % hosts.length]!]);

const etcdPeers = (from: ClusterHost, to: ClusterHost): Connection => ({
  from,
  to,
  protocol: 'tcp',
  port: 2380,
  purpose: 'etcd peers',
});

const keyOf = ({ from, to, protocol, port }: Connection) => `${from.name} ${to.name} ${protocol} ${port}`;

/** Who answers on a port: the temporary listener, or the component that already runs there. Undefined if nobody does. */
export function answeredBy(
  { to, protocol, port }: Connection,
  reports: ReadonlyMap<string, HostReport>,
): 'listener' | 'owner' | undefined {
  const probe = reports.get(to.name)?.probe;
  const state = probe?.ports.find((each) => each.protocol === protocol && each.port === port)?.state;
  if (state === 'free') return probe?.listener && 'listener';
  return state === 'taken' && protocol === 'tcp' ? 'owner' : undefined;
}
