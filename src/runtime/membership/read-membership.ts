import { fail } from '../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import type { Runner } from '../../runner/runner.ts';
import { readMembers, type EtcdMembers } from '../../step/etcd/members.ts';
import { probeKubernetes } from '../probe/probe-kubernetes.ts';
import { unreachableReason } from '../probe/probe-host.ts';
import { hostNamed } from '../session/hosts.ts';
import type { Session } from '../session/session.ts';
import { localHosts, publishedHosts } from './applied-hosts.ts';
import type { EtcdMembership, Membership } from './membership.ts';

/** The connections that reading needs; afterwards the running master is connected. */
export type MembershipSession = Pick<Session, 'cluster' | 'hosts' | 'connector' | 'reach'>;

/**
 * Reads what the cluster consists of through one running master and one etcd member; other hosts are not connected to.
 * Throws if no API server responds or no etcd member lists the others.
 */
export async function readMembership(
  session: MembershipSession,
  workdir: string,
  signal: AbortSignal,
): Promise<Membership> {
  const { cluster } = session;
  const local = await localHosts(workdir, cluster.name);
  // The first one is preferred: it keeps records that later runs of create compare.
  const masters = cluster.hosts
    .filter(({ roles }) => roles.includes('master'))
    .toSorted((one, other) => Number(other.name === cluster.firstMaster) - Number(one.name === cluster.firstMaster));
  // A master that is just joining comes last.
  const isNew = ({ name }: ClusterHost) => Number(local !== undefined && !local.has(name));
  const preferred = masters.toSorted((one, other) => isNew(one) - isNew(other));
  const state = await probeKubernetes(session, { masters: preferred, pods: false, signal });
  signal.throwIfAborted();
  if (state.master === undefined) {
    const reasons = [...state.reasons].map(([name, reason]) => `${name}: ${reason}`).join('; ');
    throw fail('API_UNAVAILABLE', { doing: 'list nodes', reasons });
  }
  const { master, nodes } = state;
  const runner = await session.reach(hostNamed(session.hosts, master));
  const [etcd, applied] = await Promise.all([readEtcd(session, master), local ?? publishedHosts(runner)]);
  return { master, nodes, etcd, applied };
}

/** Asks the running master first, then the other hosts with a member one after another. */
export async function readEtcd(session: MembershipSession, master: string): Promise<EtcdMembership | undefined> {
  const { cluster } = session;
  const { type } = cluster.etcd;
  if (type === 'external') return undefined;
  const reasons: string[] = [];
  for (const { name } of candidates(cluster, master)) {
    const found = await reachAnd(session, name, (runner) => readMembers(runner, type, name));
    if (found.type === 'members') return { host: name, members: found.members };
    reasons.push(`${name}: ${found.reason}`);
  }
  throw fail('ETCD_MEMBERS_UNKNOWN', { reasons: reasons.join('; ') });
}

const candidates = (cluster: Cluster, master: string): readonly ClusterHost[] =>
  cluster.hosts
    .filter((host) => etcdOn(cluster, host) !== undefined)
    .toSorted((one, other) => Number(other.name === master) - Number(one.name === master));

async function reachAnd(
  { hosts, reach }: MembershipSession,
  name: string,
  read: (runner: Runner) => Promise<EtcdMembers>,
): Promise<EtcdMembers> {
  try {
    return await read(await reach(hostNamed(hosts, name)));
  } catch (error) {
    const reason = unreachableReason(error);
    if (reason === undefined) throw error;
    return { type: 'unavailable', reason };
  }
}
