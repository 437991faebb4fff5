import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { etcdctl, type MemberEtcd } from './etcdctl.ts';
import { listMembers, memberOn, readMembers, type EtcdMembers } from './members.ts';
import { quorumLoss } from './quorum.ts';
import { retryWhileUnsettled } from './retry-while-unsettled.ts';

/** Removes the members of hosts from the etcd cluster, one after another; runs on the host of a member that stays. */
export const removeMembers = ({ etcd }: Cluster, leaving: readonly ClusterHost[]): Step =>
  defineStep({
    name: 'etcd.remove-member',
    summary: `Remove the etcd ${leaving.length === 1 ? 'member' : 'members'} of ${leaving.map(({ name }) => name).join(', ')}`,
    timeoutMs: TEN_MINUTES,
    parts: ({ host }) =>
      etcd.type === 'external'
        ? []
        : leaving.map((each) => removedMember({ etcd: etcd.type, through: host, host: each })),
  });

const TEN_MINUTES = 600_000;

interface Removal {
  readonly etcd: MemberEtcd;
  readonly through: Host;
  readonly host: ClusterHost;
}

const removedMember = (removal: Removal): GenericStep =>
  Object.freeze<GenericStep>({
    key: `node:etcd-member-${removal.host.name}`,
    summary: `remove the etcd member of ${removal.host.name}`,
    async precheck(ctx) {
      const member = await listedMember(ctx, removal);
      return member ? { done: false, because: `member ${member.id} (${removal.host.name}) exists` } : DONE;
    },
    async run(ctx) {
      for (;;) {
        const member = await listedMember(ctx, removal);
        if (!member) return;
        await refuseLoss(ctx, removal, member.id);
        const remove = etcdctl(removal.etcd, removal.through.name, sh`member remove ${member.id}`);
        await retryWhileUnsettled(ctx, () => ctx.runner.run(remove));
      }
    },
  });

const listedMember = async (ctx: StepContext, removal: Removal) =>
  memberOn(known(await listMembers(ctx.runner, removal.etcd, removal.through.name), removal), removal.host);

/** Checked again right before the removal, because a member may have failed since the plan was made. */
async function refuseLoss(ctx: StepContext, removal: Removal, id: string): Promise<void> {
  const members = known(await readMembers(ctx.runner, removal.etcd, removal.through.name), removal);
  const voters = members.filter(({ isLearner }) => !isLearner);
  const leaving = voters.filter((member) => member.id === id);
  const loss = leaving.length === 0 ? undefined : quorumLoss(voters, leaving);
  const down = voters.filter((member) => !member.isHealthy && member.id !== id).map((each) => each.name || each.id);
  if (loss) throw fail('QUORUM_AT_RISK', { hosts: removal.host.name, ...loss, down: down.join(', ') });
}

/** Without a list, the member may exist. */
function known<Member>(found: EtcdMembers<Member>, { through }: Removal): readonly Member[] {
  if (found.type === 'members') return found.members;
  throw fail('ETCD_MEMBERS_UNKNOWN', { reasons: `${through.name}: ${found.reason}` });
}
