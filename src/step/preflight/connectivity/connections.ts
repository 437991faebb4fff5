import { isNode } from '../../../common/host.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import { apiPort, etcdOn, overlayPorts } from '../../../config/model/ports.ts';
import { hasRole, type HostReport } from '../check.ts';

/** One host that has to be reached by another one. */
export interface Connection {
  readonly from: ClusterHost;
  readonly to: ClusterHost;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** What is reached there. */
  readonly purpose: string;
}

/** How it went when a host tried to reach another one. */
export interface Attempt extends Connection {
  readonly outcome: 'reached' | 'timed-out' | 'failed' | 'another-host';
  /** What the host said. */
  readonly said: string;
}

/**
 * Who is to reach whom: a few for each host, not all pairs. Nodes stand in a ring, each calls a master and is called by
 * one, members of etcd stand in a ring of their own, and every master calls every member.
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
    ...nodes.flatMap((to, place) =>
      masters
        .slice(place % masters.length)
        .slice(0, 1)
        .map((from) => ({ from, to, ...kubelet })),
    ),
    ...callers.flatMap((from, place) =>
      masters
        .slice(place % masters.length)
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

/** Each one with the next, the last with the first. */
const ring = (hosts: readonly ClusterHost[]): readonly (readonly [ClusterHost, ClusterHost])[] =>
  hosts.length < 2 ? [] : hosts.map((host, place) => [host, hosts[(place + 1) % hosts.length]!]);

const etcdPeers = (from: ClusterHost, to: ClusterHost): Connection => ({
  from,
  to,
  protocol: 'tcp',
  port: 2380,
  purpose: 'etcd peers',
});

const keyOf = ({ from, to, protocol, port }: Connection) => `${from.name} ${to.name} ${protocol} ${port}`;

/** What can be tried: somebody answers there. A port that the real thing holds can be connected to, and says nothing of ours. */
export function answeredBy(
  { to, protocol, port }: Connection,
  reports: ReadonlyMap<string, HostReport>,
): 'listener' | 'owner' | undefined {
  const probe = reports.get(to.name)?.probe;
  const state = probe?.ports.find((each) => each.protocol === protocol && each.port === port)?.state;
  if (state === 'free') return probe?.listener && 'listener';
  return state === 'taken' && protocol === 'tcp' ? 'owner' : undefined;
}
