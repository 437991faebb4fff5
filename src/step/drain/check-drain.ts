import { fail } from '../../common/errors/errors.ts';
import { checkOnly } from '../common/check-only.ts';
import type { StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import type { DrainOptions } from './options.ts';
import { controllerOf, emptyDirsOf, fullName, isTerminating, kindOf } from './pods.ts';

/** Refuses to drain nodes with pods that would lose data or would not be started again, unless the options allow it. */
export const checkDrain = (nodes: readonly string[], options: DrainOptions): Step =>
  defineStep({
    name: 'node.check-drain',
    summary: 'Check that no pod is lost',
    parts: () =>
      nodes.map((node) =>
        checkOnly(`check:drain/${node}`, `check the pods of ${node}`, (ctx) => checkPods(ctx, node, options)),
      ),
  });

async function checkPods(
  { api }: StepContext,
  node: string,
  { force, deleteEmptyDirData }: DrainOptions,
): Promise<void> {
  const pods = await api.list('pods', { fields: `spec.nodeName=${node}` });
  const evicted = pods.filter((pod) => kindOf(pod) === 'evictable' && !isTerminating(pod));
  const bare = force ? [] : evicted.filter((pod) => !controllerOf(pod));
  const local = deleteEmptyDirData ? [] : evicted.filter((pod) => emptyDirsOf(pod).length > 0);
  if (bare.length + local.length === 0) return;
  throw fail('DRAIN_REFUSED', { node, bare: bare.map(fullName).join(', '), local: local.map(fullName).join(', ') });
}
