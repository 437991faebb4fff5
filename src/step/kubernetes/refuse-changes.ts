import { isDeepStrictEqual } from 'node:util';
import { stateFile } from '../../common/cluster-files.ts';
import { fail } from '../../common/errors/errors.ts';
import { readApplied, type AppliedState } from '../../config/model/applied.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { changedFields, ETCD_MEMBERS, etcdMembersOf } from '../../config/model/immutable.ts';
import { API_FILES } from '../../template/kubernetes/apiserver-files.ts';
import { readPrivateFile } from '../../util/private-file.ts';
import { checkOnly } from '../common/check-only.ts';
import type { StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { appliedEtcdMembers } from '../state/applied-hosts.ts';
import { readPublished } from '../state/published.ts';
import { recordedFields } from './node-record.ts';

/** The local folder of the cluster with its applied state, or `any` if the run itself changes the etcd members. */
export interface RefuseChangesOptions {
  readonly etcdMembers: { readonly folder: string } | 'any';
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
          await refuseOtherMembers(ctx, cluster, etcdMembers.folder);
      }),
    ],
  });

/** A node keeps the members from when it joined. Later runs of `add nodes` and `delete nodes` are in the applied state only. */
async function refuseOtherMembers(ctx: StepContext, { hosts }: Cluster, folder: string): Promise<void> {
  const state = await readState(ctx, folder);
  const applied = state ? appliedEtcdMembers(state) : [];
  const wanted = etcdMembersOf(hosts);
  if (isDeepStrictEqual(applied, wanted)) return;
  throw fail('ETCD_MEMBERS_CHANGED', { members: applied.join(', ') || 'unknown', wanted: wanted.join(', ') });
}

async function readState(ctx: StepContext, folder: string): Promise<AppliedState | undefined> {
  const local = readApplied((await readPrivateFile(stateFile(folder))) ?? '');
  if (local) return local;
  for (const master of ctx.hosts.withRole('master')) {
    const published = await readPublished(ctx, master);
    if (published) return published;
  }
  return undefined;
}
