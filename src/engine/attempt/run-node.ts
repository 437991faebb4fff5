import type { PlanNode } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/part.ts';
import type { Execution } from '../execution.ts';
import { runStep } from './run-step.ts';

/** Runs one step on one host once, within its timeout. */
export function runNode(
  { run, progress: { changes } }: Execution,
  node: PlanNode,
  findings?: readonly Finding[],
): Promise<'skipped' | 'done'> {
  return run.deadlines.within(
    node.step.timeoutMs,
    (signal, deadline) => {
      const say = (line: string) => {
        deadline.lastLine = line;
        run.report({ type: 'said', run: run.info, node, at: Date.now(), line });
      };
      const ctx = run.contextFor(node, signal, say);
      return ctx instanceof Promise
        ? ctx.then((ctx) => runStep(node, ctx, changes, findings))
        : runStep(node, ctx, changes, findings);
    },
    node.step.stopsAtOnce,
  );
}
