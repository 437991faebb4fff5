import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { changedFields, ETCD_MEMBERS, etcdMembersOf } from '../../config/model/immutable.ts';
import { API_FILES } from '../../template/kubernetes/apiserver-files.ts';
import { checkOnly } from '../common/check-only.ts';
import type { StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordedFields } from './node-record.ts';

/** Reads the etcd members of the cluster as "name address" in alphabetical order; undefined if they are unknown. */
export type ReadMembers = (ctx: StepContext) => Promise<readonly string[] | undefined>;

/** The etcd members that the cluster file must have; `any` if the run itself changes them. */
export interface RefuseChangesOptions {
  readonly etcdMembers: ReadMembers | 'any';
}

/** Fails, before anything is changed, if the cluster file changes a field that is immutable in an existing cluster. */
export const refuseChanges = (cluster: Cluster, { etcdMembers }: RefuseChangesOptions): Step =>
  defineStep({
    name: 'kubernetes.changes',
    summary: 'Check for unsupported changes to the cluster file',
    parts: () => [
      checkOnly('check:changes', 'compare the cluster file with the one the cluster was created from', async (ctx) => {
        const [before, encryption] = await Promise.all([recordedFields(ctx), ctx.runner.stat(API_FILES.encryption)]);
        const changed = before === undefined ? [] : changedFields(before, cluster);
        const others = changed.filter((field) => field !== ETCD_MEMBERS);
        if (before && encryption && !cluster.kubernetes.encryptionAtRest)
          throw fail('ENCRYPTION_IN_USE', { host: ctx.host.name });
        if (others.length > 0) throw fail('CHANGE_UNSUPPORTED', { host: ctx.host.name, fields: others.join(', ') });
        if (others.length < changed.length && etcdMembers !== 'any')
          refuseOtherMembers((await etcdMembers(ctx)) ?? [], cluster);
      }),
    ],
  });

/** A node keeps the members from when it joined. Later runs of `add nodes` and `delete nodes` are in the applied state only. */
function refuseOtherMembers(applied: readonly string[], { hosts }: Cluster): void {
  const wanted = etcdMembersOf(hosts);
  if (isDeepStrictEqual(applied, wanted)) return;
  throw fail('ETCD_MEMBERS_CHANGED', { members: applied.join(', ') || 'unknown members', wanted: wanted.join(', ') });
}
