import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { etcdctl, type MemberEtcd } from './etcdctl.ts';
import { memberOn, readMembers, type EtcdMember } from './members.ts';
import { quorumLoss } from './quorum.ts';

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
      const { member } = await findMember(ctx, removal);
      return member ? { done: false, because: `member ${member.id} (${removal.host.name}) exists` } : DONE;
    },
    async run(ctx) {
      const end = Date.now() + TIMEOUT_MS;
      for (;;) {
        const { member, members } = await findMember(ctx, removal);
        if (!member) return;
        refuseLoss(members, member, removal.host);
        const remove = etcdctl(removal.etcd, removal.through.name, sh`member remove ${member.id}`);
        // Refused for a moment after another member has changed: the members must be connected to each other first.
        const { exit, stderr } = await ctx.runner.query(remove);
        if (exit === 0) continue;
        if (Date.now() >= end) await ctx.runner.run(remove, streamOutput(ctx));
        ctx.say(`etcd: ${stderr.trim().split('\n').at(-1) ?? ''}`);
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
  });

const TIMEOUT_MS = 120_000;
const PAUSE_MS = 1000;

async function findMember(ctx: StepContext, { etcd, through, host }: Removal) {
  const found = await readMembers(ctx.runner, etcd, through.name);
  if (found.type === 'unavailable') throw fail('ETCD_MEMBERS_UNKNOWN', { reasons: `${through.name}: ${found.reason}` });
  return { members: found.members, member: memberOn(found.members, host) };
}

/** Checked again right before the removal, because a member may have failed since the plan was made. */
function refuseLoss(members: readonly EtcdMember[], member: EtcdMember, { name }: ClusterHost): void {
  const voters = members.filter(({ isLearner }) => !isLearner);
  const loss = member.isLearner ? undefined : quorumLoss(voters, [member]);
  const down = voters.filter(({ isHealthy, id }) => !isHealthy && id !== member.id).map((each) => each.name || each.id);
  if (loss) throw fail('QUORUM_AT_RISK', { hosts: name, ...loss, down: down.join(', ') });
}
