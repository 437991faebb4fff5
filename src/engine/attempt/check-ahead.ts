import { dependenciesOf, type PlanNode, type Vertex } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/step.ts';
import { trusted } from './decide.ts';
import type { Execution } from '../execute.ts';
import type { HostRun } from '../host-run.ts';
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
  const findings = host.ahead && (await takeAhead(host, host.ahead, node));
  if (findings?.every(({ done }) => done) && node.step.provides.length === 0) return 'skipped';
  const trying = runNode(execution, node, findings);
  // In the same tick: the looks travel together.
  if (!findings && host.window > 1) host.ahead = lookAhead(execution, index, host.window - 1);
  return trying;
}

/** The next window, by what came of a step. */
export function widen(host: HostRun, outcome: 'skipped' | 'changed'): void {
  if (outcome === 'changed') {
    host.window = 1;
    host.ahead = undefined;
  } else if (!host.ahead) host.window = Math.min(host.window * 2, WIDEST);
}

const WIDEST = 64;

/** Steps that were looked at together, in order, and what was found; undefined where looking failed. */
export interface Ahead {
  readonly nodes: readonly PlanNode[];
  readonly found: Promise<readonly (readonly Finding[] | undefined)[]>;
  /** What had changed on the host when they were looked at. */
  readonly changes: number;
}

/** What was found of a step; undefined when it was not looked at, when that failed, or when something changed since. */
async function takeAhead(host: HostRun, ahead: Ahead, node: PlanNode): Promise<readonly Finding[] | undefined> {
  const at = ahead.nodes.indexOf(node);
  if (at < 0 || at === ahead.nodes.length - 1) host.ahead = undefined;
  const findings = (await ahead.found)[at];
  if (host.changes === ahead.changes) return findings;
  host.ahead = undefined;
  return undefined;
}

function lookAhead(execution: Execution, index: number, most: number): Ahead | undefined {
  const { graph, deadlines, hostRun } = execution;
  const nodes: PlanNode[] = [];
  for (let at = index + 1; nodes.length < most; at++) {
    const next = followerAt(graph.vertices, at);
    if (!next) break;
    if (!trusted(execution, next)) nodes.push(next);
  }
  const [first] = nodes;
  if (!first) return undefined;
  const timeoutMs = Math.min(...nodes.map(({ step }) => step.timeoutMs));
  const looking = deadlines.within(timeoutMs, (signal) =>
    Promise.all(nodes.map((node) => look(execution, node, signal))),
  );
  return { nodes, found: looking.catch(() => []), changes: hostRun(first.host).changes };
}

/** The node at this place if all it waits for is the one before it on the same host. */
function followerAt(vertices: readonly Vertex[], at: number): PlanNode | undefined {
  const before = vertices[at - 1];
  const next = vertices[at];
  if (before?.type !== 'node' || next?.type !== 'node' || before.host !== next.host) return undefined;
  const after = dependenciesOf(next);
  return after.length === 1 && after[0] === at - 1 && next.step.needs.length === 0 ? next : undefined;
}

/** An error is not told: what the steps before it bring may be missing. It is looked at again in its turn. */
async function look({ contextFor }: Execution, node: PlanNode, signal: AbortSignal) {
  try {
    const made = contextFor(node, signal, () => {});
    const ctx = made instanceof Promise ? await made : made;
    return await lookAt(node.step.parts(ctx), ctx);
  } catch {
    return undefined;
  }
}
