import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost, ManagedEtcd } from '../../config/model/cluster.ts';
import { sh } from '../../runner/command.ts';
import { peerUrl } from '../../template/etcd/environment.ts';
import { flagOf, textOf } from '../../util/json-fields.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { DONE, findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { memberData } from './data.ts';
import { etcdctl } from './etcdctl.ts';
import { forgetFailedJoins, forgetMember } from './forget-member.ts';
import { memberOn, readMembers, type EtcdMember } from './members.ts';
import { retryWhileUnsettled } from './retry-while-unsettled.ts';

/** A running etcd, and the host of a member through which others join. */
export interface AddMemberOptions {
  readonly cluster: Cluster;
  readonly etcd: ManagedEtcd;
  readonly through: string;
}

/** Registers the host as a learner. Learners have no vote, so one that never starts does not cost quorum. */
export const addMember = (options: AddMemberOptions): Step =>
  defineStep({
    name: 'etcd.add-member',
    summary: 'Add the host to etcd as a learner',
    parts: ({ host }) => [registeredMember(options, clusterHost(options.cluster, host))],
  });

/** Promotes the learner when it is in sync with the leader. */
export const promoteMember = (options: AddMemberOptions): Step =>
  defineStep({
    name: 'etcd.promote',
    summary: 'Promote the learner to a voting etcd member',
    timeoutMs: HALF_AN_HOUR,
    parts: ({ host }) => [votingMember(options, clusterHost(options.cluster, host))],
  });

const HALF_AN_HOUR = 1_800_000;

/** The members of a running etcd, read through one of them. Throws if it does not list them. */
export async function membersThrough(ctx: StepContext, through: string): Promise<readonly EtcdMember[]> {
  const found = await readMembers(ctx.on(hostIn(ctx, through)), 'kubexm', through);
  if (found.type === 'members') return found.members;
  throw fail('ETCD_MEMBERS_UNKNOWN', { reasons: `${through}: ${found.reason}` });
}

function registeredMember({ cluster, etcd, through }: AddMemberOptions, host: ClusterHost): GenericStep {
  const own = async (ctx: StepContext) => memberOn(await membersThrough(ctx, through), host);
  const hasData = (ctx: StepContext) => ctx.runner.stat(memberData(etcd.dataDir));
  return Object.freeze<GenericStep>({
    key: 'node:etcd-member',
    summary: `add ${host.name} to etcd as a learner`,
    async precheck(ctx) {
      const [member, data] = await Promise.all([own(ctx), hasData(ctx)]);
      if (!member) return { done: false, because: 'is not a member' };
      return isLost(member, data !== undefined) ? { done: false, because: 'has lost the data of its member' } : DONE;
    },
    remember: async (ctx) => ({ member: (await own(ctx))?.id ?? '' }),
    async run(ctx) {
      const [member, data] = await Promise.all([own(ctx), hasData(ctx)]);
      const at = { etcd: 'kubexm', through: hostIn(ctx, through) } as const;
      if (!member && data) throw fail('ETCD_DATA_KEPT', { host: host.name, path: etcd.dataDir });
      if (member && !isLost(member, data !== undefined)) return;
      await forgetMember(ctx, at, host);
      await forgetFailedJoins(ctx, at, { cluster, joining: host });
      const add = sh`member add ${host.name} --learner --peer-urls ${peerUrl(host)}`;
      await retryWhileUnsettled(ctx, () => ctx.on(at.through).run(etcdctl('kubexm', through, add)));
    },
    async rollback(ctx, before) {
      if (textOf(before, 'member') !== '') return;
      await forgetMember(ctx, { etcd: 'kubexm', through: hostIn(ctx, through) }, host);
    },
  });
}

/** A member that has started before cannot start again without its data. */
const isLost = ({ name }: EtcdMember, hasData: boolean) => name !== '' && !hasData;

function votingMember({ through }: AddMemberOptions, host: ClusterHost): GenericStep {
  const check = async (ctx: StepContext) => {
    const member = memberOn(await membersThrough(ctx, through), host);
    if (!member) return { done: false, because: 'is not a member' } as const;
    return findingOf(member.isLearner ? ['is still a learner'] : []);
  };
  return Object.freeze<GenericStep>({
    key: 'wait:etcd-voter',
    summary: `promote ${host.name} to a voting member`,
    precheck: check,
    remember: async (ctx) => ({ voter: memberOn(await membersThrough(ctx, through), host)?.isLearner === false }),
    async run(ctx) {
      const runner = ctx.on(hostIn(ctx, through));
      const end = Date.now() + TEN_MINUTES;
      for (;;) {
        const member = memberOn(await membersThrough(ctx, through), host);
        if (member && !member.isLearner) return;
        const { exit, stderr } = await runner.query(etcdctl('kubexm', through, sh`member promote ${member?.id ?? ''}`));
        if (exit === 0) return;
        const because = reasonIn(stderr);
        ctx.say(`etcd: ${because}`);
        if (Date.now() >= end) {
          const journal = await ctx.runner.services.journal('etcd.service', 12);
          throw fail('ETCD_UNHEALTHY', { host: host.name, because, journal });
        }
        await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
      }
    },
    // Before the member is stopped: one that still has a vote would take the quorum with it.
    async rollback(ctx, before) {
      if (!flagOf(before, 'voter')) await forgetMember(ctx, { etcd: 'kubexm', through: hostIn(ctx, through) }, host);
    },
  });
}

const TEN_MINUTES = 600_000;
const PAUSE_MS = 500;

const reasonIn = (stderr: string) =>
  /"error":"([^"]+)"|Error: (.+)/.exec(stderr)?.slice(1).find(Boolean) ?? stderr.trim();

function hostIn({ hosts }: Pick<StepContext, 'hosts'>, name: string): Host {
  const found = hosts.all.find((host) => host.name === name);
  if (!found) throw new TypeError(`${name} is not a host of the cluster`);
  return found;
}
