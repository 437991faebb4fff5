import { isNode, type Role } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { memberOn, type EtcdMember } from '../../step/etcd/members.ts';
import type { NodeInfo } from '../probe/kubernetes-objects.ts';
import type { AppliedHosts } from '../../step/state/applied-hosts.ts';

/** What a cluster consists of, read from the cluster itself. */
export interface Membership {
  /** A running master: its API server listed the nodes. */
  readonly master: string;
  readonly nodes: readonly NodeInfo[];
  /** Undefined if the members do not run on hosts of the cluster. */
  readonly etcd: EtcdMembership | undefined;
  /** The hosts of the last successful run; undefined if no state was saved. */
  readonly applied: AppliedHosts | undefined;
}

export interface EtcdMembership {
  /** The host whose member listed the others. */
  readonly host: string;
  readonly members: readonly EtcdMember[];
}

/** Whether the cluster has a host of the cluster file in a role. */
export type RoleState = 'present' | 'missing';

/** What the cluster has, but the cluster file does not. */
export interface StaleMembers {
  readonly nodes: readonly NodeInfo[];
  readonly etcd: readonly EtcdMember[];
}

/**
 * A role is present if the last successful run applied it and the cluster still has it. A run that was killed has not
 * saved its hosts, so they stay missing until a run completes them.
 */
export function roleState(membership: Membership, cluster: Cluster, host: ClusterHost, role: Role): RoleState {
  const { applied } = membership;
  const isApplied = applied === undefined || (applied.get(host.name)?.includes(role) ?? false);
  return isApplied && isLive(membership, cluster, host, role) ? 'present' : 'missing';
}

function isLive({ nodes, etcd, applied }: Membership, cluster: Cluster, host: ClusterHost, role: Role): boolean {
  switch (role) {
    case 'master':
    case 'worker': {
      const node = nodes.find(({ name }) => name === host.name);
      // The label tells only where no state was saved: it is set after the node has joined.
      return node !== undefined && (role === 'worker' || applied !== undefined || node.roles.includes('control-plane'));
    }
    case 'etcd': {
      if (cluster.etcd.type !== 'kubexm' || !etcd) return true;
      const member = memberOn(etcd.members, host);
      return member !== undefined && !member.isLearner && member.name !== '';
    }
    case 'loadbalancer':
    case 'registry':
      return true;
  }
}

/** Nodes and etcd members that belong to no host of the cluster file. */
export function staleMembers({ nodes, etcd }: Membership, cluster: Cluster): StaleMembers {
  const names = new Set(cluster.hosts.filter(isNode).map(({ name }) => name));
  const holders = cluster.hosts.filter(({ roles }) =>
    roles.includes(cluster.etcd.type === 'kubexm' ? 'etcd' : 'master'),
  );
  const owned = new Set(holders.flatMap((host) => memberOn(etcd?.members ?? [], host)?.id ?? []));
  return {
    nodes: nodes.filter(({ name }) => !names.has(name)),
    etcd: (etcd?.members ?? []).filter(({ id }) => !owned.has(id)),
  };
}
