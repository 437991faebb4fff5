import { fail } from '../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { memberOn, type EtcdMember } from '../../step/etcd/members.ts';
import { quorumLoss, quorumOf } from '../../step/etcd/quorum.ts';

/** A planned removal, and what the cluster consists of now. */
export interface PlannedRemoval {
  readonly before: Cluster;
  readonly after: Cluster;
  readonly leaving: readonly ClusterHost[];
  /** The etcd members; empty if they do not run on hosts of the cluster. */
  readonly members: readonly EtcdMember[];
  /** Pods on hosts that leave which no node that stays accepts, as "namespace/name". */
  readonly stranded: readonly string[];
  readonly force: boolean;
}

/** Throws if the removal would lose data, quorum or what runs; returns warnings. Nothing is changed before. */
export function checkRemoval(removal: PlannedRemoval): readonly string[] {
  refuseRegistry(removal);
  refuseLastMaster(removal);
  refuseLastMember(removal);
  refuseQuorumLoss(removal);
  refuseStranding(removal);
  return evenMembers(removal);
}

function refuseRegistry({ before: { registry }, leaving }: PlannedRemoval): void {
  const [host] = registry.type === 'none' || registry.type === 'external' ? [] : leaving.filter(hasRegistry);
  if (host) throw fail('REGISTRY_HOST_KEPT', { host: host.name });
}

const hasRegistry = ({ roles }: ClusterHost) => roles.includes('registry');

function refuseLastMaster({ after, leaving }: PlannedRemoval): void {
  if (!after.hosts.some(({ roles }) => roles.includes('master')))
    throw fail('LAST_MASTER', { hosts: namesOf(leaving), others: '' });
}

/** The cluster file alone tells that no etcd host would be left. */
function refuseLastMember({ before, after, leaving }: PlannedRemoval): void {
  const hasMembers = ({ hosts }: Cluster) => hosts.some((host) => etcdOn(before, host) !== undefined);
  if (hasMembers(before) && !hasMembers(after))
    throw fail('QUORUM_AT_RISK', {
      hosts: namesOf(leaving),
      removed: leaving.filter((host) => etcdOn(before, host) !== undefined).length,
      voters: 0,
      healthy: 0,
      needed: 1,
      down: '',
    });
}

/** Members that are down now count; `--force` does not change that. */
function refuseQuorumLoss({ before, leaving, members }: PlannedRemoval): void {
  const voters = members.filter(({ isLearner }) => !isLearner);
  const gone = leavingMembers({ before, leaving, members }).filter(({ isLearner }) => !isLearner);
  if (gone.length === 0) return;
  const loss = quorumLoss(voters, gone);
  if (!loss) return;
  const staying = voters.filter(({ id }) => !gone.some((member) => member.id === id));
  const down = staying.filter(({ isHealthy }) => !isHealthy).map(titleOf);
  throw fail('QUORUM_AT_RISK', { hosts: namesOf(leaving), ...loss, down: down.join(', ') });
}

function refuseStranding({ leaving, stranded, force }: PlannedRemoval): void {
  if (force || stranded.length === 0) return;
  const shown = [...stranded.slice(0, MOST_SHOWN), ...(stranded.length > MOST_SHOWN ? ['…'] : [])];
  throw fail('LAST_WORKER', { hosts: namesOf(leaving), pods: shown.join(', '), count: stranded.length });
}

const MOST_SHOWN = 10;

function evenMembers(removal: PlannedRemoval): readonly string[] {
  const gone = leavingMembers(removal);
  const left =
    removal.members.filter(({ isLearner }) => !isLearner).length - gone.filter((each) => !each.isLearner).length;
  if (gone.length === 0 || left % 2 === 1) return [];
  const tolerated = left - quorumOf(left);
  return [
    `etcd will have ${left} members. It then tolerates ${tolerated === 0 ? 'no failure' : `${tolerated} ${tolerated === 1 ? 'failure' : 'failures'}`}, as with ${left - 1}; use an odd number of members.`,
  ];
}

/** The members on the hosts that leave. */
export const leavingMembers = ({
  before,
  leaving,
  members,
}: Pick<PlannedRemoval, 'before' | 'leaving' | 'members'>): readonly EtcdMember[] =>
  leaving.filter((host) => etcdOn(before, host) !== undefined).flatMap((host) => memberOn(members, host) ?? []);

const titleOf = ({ name, id }: EtcdMember) => name || id;

const namesOf = (hosts: readonly ClusterHost[]) => hosts.map(({ name }) => name).join(', ');
