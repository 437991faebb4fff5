import { fail } from '../../common/errors/errors.ts';
import { signalWithTimeout } from '../../util/abort-signal.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Deletes Node objects and waits until they are gone. */
export const removeNodes = (nodes: readonly string[]): Step =>
  defineStep({
    name: 'node.remove',
    summary: `Delete ${nodes.length === 1 ? 'node' : 'nodes'} ${nodes.join(', ')}`,
    timeoutMs: TEN_MINUTES,
    parts: () => nodes.map(removedNode),
  });

const TEN_MINUTES = 600_000;

const removedNode = (node: string): GenericStep =>
  Object.freeze<GenericStep>({
    key: `node:removed-${node}`,
    summary: `delete node ${node}`,
    precheck: async ({ api }) =>
      (await api.get('nodes', { name: node })) ? { done: false, because: `node ${node} exists` } : DONE,
    async run(ctx) {
      if ((await ctx.api.delete('nodes', { name: node })) !== 'gone') await awaitDeletion(ctx, node);
    },
  });

/** Only finalizers keep an object that was deleted. */
async function awaitDeletion(ctx: StepContext, node: string): Promise<void> {
  const { api, signal } = ctx;
  const limit = signalWithTimeout([signal], TIMEOUT_MS);
  let finalizers = '';
  try {
    for await (const found of api.watch('nodes', { fields: `metadata.name=${node}` }, { signal: limit })) {
      const [left] = [...found.values()];
      if (!left) return;
      finalizers = (left.metadata.finalizers ?? []).join(', ');
      ctx.say(`waiting until node ${node} is gone${finalizers && `; finalizers: ${finalizers}`}`);
    }
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw fail('NODE_HELD', { host: node, finalizers, seconds: TIMEOUT_MS / 1000 }, error);
  }
}

const TIMEOUT_MS = 120_000;
