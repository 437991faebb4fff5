import type { StepContext, GenericStep } from '../contract/part.ts';
import { DONE } from '../contract/finding.ts';
import { defineStep, type Step } from '../contract/step.ts';
import { evictPods } from './evict-pods.ts';
import type { DrainOptions } from './options.ts';
import { isTerminating, kindOf } from './pods.ts';

/** Evicts the pods of the nodes, one node after another. Pods of DaemonSets and static pods stay. */
export const drainNodes = (nodes: readonly string[], options: DrainOptions): Step =>
  defineStep({
    name: 'node.drain',
    summary: 'Evict the pods of nodes',
    // Beyond the timeouts of the nodes, so that they report what they wait for.
    timeoutMs: nodes.length * (options.timeoutMs + MARGIN_MS),
    showsOutput: true,
    stopsAtOnce: true,
    parts: () => nodes.map((node) => drained(node, options)),
  });

const MARGIN_MS = 120_000;

function drained(node: string, options: DrainOptions): GenericStep {
  const isLeft = (ctx: StepContext) => podsLeft(ctx, node, options);
  return Object.freeze<GenericStep>({
    key: `node:drained/${node}`,
    summary: `drain ${node}`,
    async precheck(ctx) {
      const left = await isLeft(ctx);
      return left === 0 ? DONE : { done: false, because: `${left} ${left === 1 ? 'pod' : 'pods'} to evict` };
    },
    run: (ctx) => evictPods({ api: ctx.api, node, options, say: (line) => ctx.say(line), signal: ctx.signal }),
    // Evicted pods run on other nodes now; the cordon, which is undone, is what keeps new ones away.
    rollback: () => Promise.resolve(),
  });
}

async function podsLeft({ api }: StepContext, node: string, { wait }: DrainOptions): Promise<number> {
  const pods = await api.list('pods', { fields: `spec.nodeName=${node}` });
  return pods.filter((pod) => kindOf(pod) === 'evictable' && (wait || !isTerminating(pod))).length;
}
