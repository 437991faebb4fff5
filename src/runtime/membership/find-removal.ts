import { fail, KubexmError } from '../../common/errors/errors.ts';
import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import type { Removal } from '../../pipeline/nodes/delete.ts';
import { sh } from '../../runner/command.ts';
import { unplacedPods } from '../../step/drain/place-pods.ts';
import { fullName } from '../../step/drain/pods.ts';
import { readSnapshot } from '../../step/drain/snapshot.ts';
import { etcdctl } from '../../step/etcd/etcdctl.ts';
import { memberOn, type EtcdMember } from '../../step/etcd/members.ts';
import { quorumOf } from '../../step/etcd/quorum.ts';
import { unreachableReason } from '../probe/probe-host.ts';
import { hostNamed } from '../session/hosts.ts';
import type { Session } from '../session/session.ts';
import { findVipHost } from './find-addition.ts';
import { checkRemoval } from './guards.ts';
import { readEtcd, readMembership, type MembershipSession } from './read-membership.ts';

/** What the user wants to remove, and how. */
export interface RemovalRequest {
  /** The cluster without the hosts. */
  readonly after: Cluster;
  readonly leaving: readonly string[];
  /** The hosts do not respond: remove them without connecting to them. */
  readonly unreachable: boolean;
  /** Leave the hosts themselves alone. */
  readonly skipCleanup: boolean;
  /** Pods that no other node accepts do not matter. */
  readonly force: boolean;
}

/** A removal that passed all guards, and what the user should know about it. */
export interface CheckedRemoval {
  readonly removal: Removal;
  readonly warnings: readonly string[];
}

/** The connections that the check needs. */
export type RemovalSession = MembershipSession & Pick<Session, 'api'>;

/** Reads the state of the cluster and checks whether hosts can be removed. Throws, before anything is changed, if not. */
export async function findRemoval(
  session: RemovalSession,
  request: RemovalRequest,
  { workdir, signal }: { readonly workdir: string; readonly signal: AbortSignal },
): Promise<CheckedRemoval> {
  const { after, unreachable, skipCleanup, force } = request;
  const before = session.cluster;
  const leaving = before.hosts.filter(({ name }) => request.leaving.includes(name));
  const planned = { before, after, leaving, force };
  // What the cluster file alone tells.
  checkRemoval({ ...planned, members: [], stranded: [] });
  const staying = { ...session, cluster: after };
  const { master, etcd } = await readRunning(staying, workdir, signal).catch(async (error: unknown) => {
    throw await explain(session, request, error);
  });
  const drained = unreachable ? [] : leaving.filter(isNode).map(({ name }) => name);
  const stranded = force ? [] : await strandedPods(session, drained, signal);
  const warnings = checkRemoval({ ...planned, members: etcd?.members ?? [], stranded });
  const reset = unreachable || skipCleanup ? [] : leaving.map(({ name }) => name);
  await requireResponse(session, reset);
  const vipHost = await findVipHost(staying);
  return {
    removal: {
      after,
      leaving: inRemovalOrder(leaving, etcd?.members ?? []),
      drained,
      reset,
      master,
      etcdHost: etcd?.host,
      vipHost,
    },
    warnings,
  };
}

/** Hosts with an unhealthy member come first: quorum is checked for this order. */
function inRemovalOrder(leaving: readonly ClusterHost[], members: readonly EtcdMember[]): readonly string[] {
  const isHealthy = (host: ClusterHost) => Number(memberOn(members, host)?.isHealthy ?? true);
  return leaving.toSorted((one, other) => isHealthy(one) - isHealthy(other)).map(({ name }) => name);
}

/** Without a quorum the API servers do not respond, which takes long to find out; etcd itself is asked first. */
async function readRunning(session: MembershipSession, workdir: string, signal: AbortSignal) {
  await readEtcd(session, session.cluster.firstMaster);
  return readMembership(session, workdir, signal);
}

/** Pods of nodes that leave, and that no other node accepts. */
async function strandedPods(
  { api }: RemovalSession,
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (nodes.length === 0) return [];
  return unplacedPods(await readSnapshot(api, signal), nodes).map(({ pod }) => fullName(pod));
}

async function requireResponse({ hosts, reach }: MembershipSession, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      try {
        await reach(hostNamed(hosts, name));
      } catch (error) {
        const reason = unreachableReason(error);
        if (reason === undefined) throw error;
        throw fail('HOST_UNRESPONSIVE', { host: name, reason }, error);
      }
    }),
  );
}

/** Why the hosts that stay do not form a cluster that works. */
async function explain(session: MembershipSession, { after, leaving }: RemovalRequest, error: unknown) {
  if (!(error instanceof KubexmError) || !UNAVAILABLE.has(error.code)) return error;
  const { cluster } = session;
  const hosts = leaving.join(', ');
  const holders = cluster.hosts.filter((host) => etcdOn(cluster, host) !== undefined);
  const responding = await respondingMembers(session, holders);
  const needed = quorumOf(holders.length);
  if (holders.length > 0 && responding.length < needed) {
    const down = holders.filter((host) => !responding.includes(host));
    return fail(
      'QUORUM_LOST',
      {
        hosts,
        healthy: namesOf(responding),
        down: namesOf(down),
        needed,
        member: responding[0]?.name ?? '',
      },
      error,
    );
  }
  const masters = after.hosts.filter(({ roles }) => roles.includes('master'));
  return error.code === 'API_UNAVAILABLE' ? fail('LAST_MASTER', { hosts, others: namesOf(masters) }, error) : error;
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['API_UNAVAILABLE', 'ETCD_MEMBERS_UNKNOWN']);

/** The hosts whose member responds by itself, which it also does without a quorum. */
async function respondingMembers(
  { cluster: { etcd }, hosts, reach }: MembershipSession,
  holders: readonly ClusterHost[],
): Promise<readonly ClusterHost[]> {
  const { type } = etcd;
  if (type === 'external') return [];
  const responds = async ({ name }: ClusterHost) => {
    const runner = await reach(hostNamed(hosts, name)).catch(() => undefined);
    return runner?.test(etcdctl(type, name, sh`endpoint status`)) ?? false;
  };
  const found = await Promise.all(holders.map(responds));
  return holders.filter((_, at) => found[at]);
}

const namesOf = (hosts: readonly ClusterHost[]) => hosts.map(({ name }) => name).join(', ');
