import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { createRunner } from '../../runner/create-runner.ts';
import { memberOn, readMembers, type EtcdMember } from '../../step/etcd/members.ts';
import { hostNamed } from '../session/hosts.ts';
import type { Session } from '../session/session.ts';
import type { HostProbe } from './probe-host.ts';

/** Lists the etcd members through a healthy one. Undefined if none responded, or if etcd is external. */
export async function probeEtcdMembers(
  session: Session,
  probes: readonly HostProbe[],
  signal: AbortSignal,
): Promise<readonly EtcdMember[] | undefined> {
  const { type } = session.cluster.etcd;
  if (type === 'external') return undefined;
  for (const probe of probes) {
    if (probe.type !== 'reached' || !probe.etcd?.ok) continue;
    const { name } = probe.host;
    const runner = createRunner(session.connector(hostNamed(session.hosts, name)), probe.facts, signal);
    const found = await readMembers(runner, type, name);
    if (found.type === 'members') return found.members;
  }
  return undefined;
}

/** The differences between the etcd members and the cluster file. */
export interface EtcdDifferences {
  /** Hosts that should run a member, but are none. */
  readonly missing: readonly ClusterHost[];
  /** Hosts whose member does not vote. */
  readonly learners: readonly ClusterHost[];
  /** Members without a host in the cluster file. */
  readonly stale: readonly EtcdMember[];
}

/** No differences if the members are unknown. */
export function compareEtcdMembers(cluster: Cluster, members: readonly EtcdMember[] | undefined): EtcdDifferences {
  if (!members) return { missing: [], learners: [], stale: [] };
  const hosts = cluster.hosts
    .filter((host) => etcdOn(cluster, host))
    .map((host) => [host, memberOn(members, host)] as const);
  const known = new Set(hosts.map(([, member]) => member));
  return {
    missing: hosts.filter(([, member]) => !member).map(([host]) => host),
    learners: hosts.filter(([, member]) => member?.isLearner).map(([host]) => host),
    stale: members.filter((member) => !known.has(member)),
  };
}

/** A member by its name and ID. Without a name it has never started, so its address tells more. */
export const memberText = ({ id, name, peerUrls: [url = ''] }: EtcdMember): string =>
  `${name || url.replace(/^https?:\/\//, '')} (${id})`;
