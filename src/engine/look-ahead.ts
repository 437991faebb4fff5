import { waitsFor, type PlanNode, type Vertex } from '../plan/graph.ts';
import type { Finding } from '../step/step.ts';
import { trusted } from './decide.ts';
import type { Execution } from './execute.ts';
import type { HostRun } from './host-run.ts';
import { runNode } from './run-node.ts';
import { lookAt } from './run-step.ts';

/**
 * Tries a step with what was found of it ahead of its turn, or looks at it together with those that come after it on its
 * host. Each time all of them are as they should be, twice as many are looked at the next time; once something changes,
 * none: what was found before a change is not to be used after it.
 */
export async function runLookingAhead(
  execution: Execution,
  node: PlanNode,
  index: number,
): Promise<'skipped' | 'done'> {
  const host = execution.hostRun(node.host);
  const findings = host.ahead.size === 0 ? undefined : await takeAhead(host, node);
  if (findings?.every(({ done }) => done) && node.step.provides.length === 0) return 'skipped';
  const trying = runNode(execution, node, findings);
  // In the same tick: the looks travel together.
  if (!findings) lookAhead(execution, host, index);
  return trying;
}

/** The next window, by what came of a step. */
export function widen(host: HostRun, outcome: 'skipped' | 'changed'): void {
  if (outcome === 'changed') {
    host.window = 1;
    host.ahead.clear();
  } else if (host.ahead.size === 0) host.window = Math.min(host.window * 2, WIDEST);
}

const WIDEST = 64;

/** What was found of a step; undefined when it was not looked at, when that failed, or when something changed since. */
async function takeAhead(host: HostRun, node: PlanNode): Promise<readonly Finding[] | undefined> {
  const { changes } = host;
  const found = host.ahead.get(node);
  host.ahead.delete(node);
  const findings = await found;
  return host.changes === changes ? findings : undefined;
}

function lookAhead(execution: Execution, host: HostRun, index: number): void {
  const { vertices } = execution.graph;
  for (let at = index + 1, left = host.window - 1; left > 0; at++) {
    const next = followerAt(vertices, at);
    if (!next) return;
    if (trusted(execution, next)) continue;
    left -= 1;
    // An error is not told: what the steps before it bring may be missing. It is looked at again in its turn.
    host.ahead.set(
      next,
      look(execution, next).catch(() => undefined),
    );
  }
}

/** The node at this place if all it waits for is the one before it on the same host. */
function followerAt(vertices: readonly Vertex[], at: number): PlanNode | undefined {
  const [before, next] = [vertices[at - 1], vertices[at]];
  if (before?.type !== 'node' || next?.type !== 'node' || before.host !== next.host) return undefined;
  const [first, ...others] = waitsFor(next);
  return first === at - 1 && others.length === 0 && next.step.needs.length === 0 ? next : undefined;
}

const look = ({ deadlines, contextFor }: Execution, node: PlanNode) =>
  deadlines.within(node.step.timeoutMs, async (signal) => {
    const ctx = await contextFor(node, signal, () => {});
    return lookAt(node.step.parts(ctx), ctx);
  });
