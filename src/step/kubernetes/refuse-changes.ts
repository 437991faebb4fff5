import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { changedFields, immutableFields } from '../../config/model/immutable.ts';
import { checkOnly } from '../common/check-only.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { recordedFields } from './node-record.ts';

/** Ends a run before anything is changed where the file asks for another cluster than the one that is there. */
export const refuseChanges = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubernetes.changes',
    summary: 'See whether the file still tells of the cluster that was made',
    parts: () => [
      checkOnly('check:changes', 'compare the file with what the cluster was made from', async (ctx) => {
        const before = await recordedFields(ctx);
        const changed = before === undefined ? [] : changedFields(before, immutableFields(cluster));
        if (changed.length > 0) throw fail('CHANGE_UNSUPPORTED', { host: ctx.host.name, fields: changed.join(', ') });
      }),
    ],
  });
