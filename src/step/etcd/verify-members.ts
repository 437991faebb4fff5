import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { clusterHost } from '../contract/cluster-host.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { responds } from '../contract/reachability.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { forgetMember } from './forget-member.ts';

/** Removes new members whose host stopped responding, before API servers use them. Runs on the host of a member. */
export const verifyMembers = (cluster: Cluster, members: readonly Host[]): Step =>
  defineStep({
    name: 'etcd.verify-members',
    summary: 'Check that the new etcd members have joined',
    parts: ({ host }) => [joinedMembers(cluster, members, host)],
  });

function joinedMembers(cluster: Cluster, members: readonly Host[], through: Host): GenericStep {
  return Object.freeze<GenericStep>({
    key: 'check:joined-members',
    summary: 'check that the new etcd members respond',
    async precheck(ctx) {
      const answers = await Promise.all(members.map((host) => responds(ctx, host)));
      return findingOf(members.filter((_, index) => !answers[index]).map(({ name }) => `${name} does not respond`));
    },
    async run(ctx) {
      const silent: string[] = [];
      for (const host of members) {
        if (await responds(ctx, host)) continue;
        silent.push(host.name);
        await forgetMember(ctx, { etcd: 'kubexm', through }, clusterHost(cluster, host));
      }
      if (silent.length > 0) throw fail('JOIN_INCOMPLETE', { hosts: silent.join(', ') });
    },
    // It only undoes what others did.
    rollback: () => Promise.resolve(),
  });
}
