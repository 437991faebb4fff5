import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { changedFields, ETCD_MEMBERS } from '../../config/model/immutable.ts';
import { API_FILES } from '../../template/kubernetes/apiserver-files.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordedFields } from './node-record.ts';

/** Whether the etcd members in the cluster file may differ from those of the cluster, because the run adds or removes some. */
export interface RefuseChangesOptions {
  readonly etcdMembers?: 'may differ';
}

/** Fails, before anything is changed, if the cluster file changes a field that is immutable in an existing cluster. */
export const refuseChanges = (cluster: Cluster, { etcdMembers }: RefuseChangesOptions = {}): Step =>
  defineStep({
    name: 'kubernetes.changes',
    summary: 'Check for unsupported changes to the cluster file',
    parts: () => [
      checkOnly('check:changes', 'compare the cluster file with the one the cluster was created from', async (ctx) => {
        const [before, encryption] = await Promise.all([recordedFields(ctx), ctx.runner.stat(API_FILES.encryption)]);
        const all = before === undefined ? [] : changedFields(before, cluster);
        const changed = etcdMembers === 'may differ' ? all.filter((field) => field !== ETCD_MEMBERS) : all;
        if (before && encryption && !cluster.kubernetes.encryptionAtRest)
          throw fail('ENCRYPTION_IN_USE', { host: ctx.host.name });
        if (changed.length > 0) throw fail('CHANGE_UNSUPPORTED', { host: ctx.host.name, fields: changed.join(', ') });
      }),
    ],
  });
