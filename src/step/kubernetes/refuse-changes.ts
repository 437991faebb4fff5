import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { changedFields, immutableFields } from '../../config/model/immutable.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordedFields } from './node-record.ts';

/** Fails, before anything is changed, if the cluster file changes a field that is immutable in an existing cluster. */
export const refuseChanges = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubernetes.changes',
    summary: 'Check for unsupported changes to the cluster file',
    parts: () => [
      checkOnly('check:changes', 'compare the cluster file with the one the cluster was created from', async (ctx) => {
        const before = await recordedFields(ctx);
        const changed = before === undefined ? [] : changedFields(before, immutableFields(cluster));
        if (changed.length > 0) throw fail('CHANGE_UNSUPPORTED', { host: ctx.host.name, fields: changed.join(', ') });
      }),
    ],
  });
