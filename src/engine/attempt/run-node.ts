import type { PlanNode } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/step.ts';
import type { Execution } from '../execute.ts';
import { runStep } from './run-step.ts';

/** Tries one step on one host once, within its time. */
export function runNode(
  { report, info: run, deadlines, contextFor, changes }: Execution,
  node: PlanNode,
  findings?: readonly Finding[],
): Promise<'skipped' | 'done'> {
  return deadlines.within(node.step.timeoutMs, (signal, flight) => {
    const say = (line: string) => {
      flight.last = line;
      report({ type: 'said', run, node, at: Date.now(), line });
    };
    const ctx = contextFor(node, signal, say);
    return ctx instanceof Promise
      ? ctx.then((ctx) => runStep(node, ctx, changes, findings))
      : runStep(node, ctx, changes, findings);
  });
}
