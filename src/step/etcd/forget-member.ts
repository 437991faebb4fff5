import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { sh } from '../../runner/command.ts';
import type { StepContext } from '../contract/part.ts';
import { runnerIfReachable } from '../contract/reachability.ts';
import { etcdctl, type MemberEtcd } from './etcdctl.ts';
import { memberOn, readMembers, type EtcdMember } from './members.ts';

/** The etcd of a cluster, and the host of a member that stays. */
export interface Through {
  readonly etcd: MemberEtcd;
  readonly through: Host;
}

/** Removes the member of a host that did not complete its join. Does nothing if etcd does not list its members. */
export async function forgetMember(ctx: StepContext, at: Through, host: ClusterHost): Promise<void> {
  await forget(ctx, at, (members) => [memberOn(members, host)]);
}

/**
 * Removes members of failed joins. Members join one at a time, so a learner of another host of the cluster is left from
 * one; etcd would accept no second learner.
 */
export async function forgetFailedJoins(
  ctx: StepContext,
  at: Through,
  { cluster, joining }: { readonly cluster: Cluster; readonly joining: ClusterHost },
): Promise<void> {
  const others = cluster.hosts.filter((host) => host !== joining && etcdOn(cluster, host) !== undefined);
  await forget(ctx, at, (members) =>
    others.map((host) => {
      const member = memberOn(members, host);
      return member?.isLearner ? member : undefined;
    }),
  );
}

async function forget(
  ctx: StepContext,
  { etcd, through }: Through,
  choose: (members: readonly EtcdMember[]) => readonly (EtcdMember | undefined)[],
): Promise<void> {
  const runner = runnerIfReachable(ctx, through);
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = runner && (await readMembers(runner, etcd, through.name));
    if (found?.type !== 'members') return;
    const [member] = choose(found.members).flatMap((each) => each ?? []);
    if (!member) return;
    // Refused for a moment after another member has changed.
    const { exit } = await runner!.query(etcdctl(etcd, through.name, sh`member remove ${member.id}`));
    if (exit !== 0 && Date.now() >= end) return;
    if (exit !== 0) await sleep(PAUSE_MS, undefined, { signal: ctx.signal });
  }
}

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 1000;
