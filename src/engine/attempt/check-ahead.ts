import { dependenciesOf, type PlanNode, type Vertex } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/part.ts';
import type { Execution, Run } from '../execution.ts';
import type { CheckedAhead, HostState } from '../host-state.ts';
import { isTrusted } from './decide.ts';
import { runNode } from './run-node.ts';
import { checkParts } from './run-step.ts';

/**
 * Runs a step with the findings from an earlier check, or checks it together with the steps that follow it on the host.
 * While nothing has to be done, the window doubles each time; after a change it starts again at one step, because a
 * finding from before a change is not valid after it.
 */
export async function runWithChecksAhead(
  execution: Execution,
  node: PlanNode,
  index: number,
): Promise<'skipped' | 'done'> {
  const host = execution.progress.hostState(node.host);
  const findings = host.checkedAhead && (await takeFindings(host, host.checkedAhead, node));
  if (findings?.every(({ done }) => done) && node.step.provides.length === 0) return 'skipped';
  const running = runNode(execution, node, findings);
  // In the same tick, so that all checks share a round trip.
  if (!findings && host.window > 1) host.checkedAhead = checkAhead(execution, index, host.window - 1);
  return running;
}

/** Sets the next window by the outcome of a step. */
export function adjustWindow(host: HostState, outcome: 'skipped' | 'changed'): void {
  if (outcome === 'changed') {
    host.window = 1;
    host.checkedAhead = undefined;
  } else if (!host.checkedAhead) host.window = Math.min(host.window * 2, MAX_WINDOW);
}

const MAX_WINDOW = 64;

/** The findings of a step; undefined if it was not checked, the check failed, or the host changed since. */
async function takeFindings(
  host: HostState,
  checked: CheckedAhead,
  node: PlanNode,
): Promise<readonly Finding[] | undefined> {
  const at = checked.nodes.indexOf(node);
  if (at < 0 || at === checked.nodes.length - 1) host.checkedAhead = undefined;
  const findings = (await checked.findings)[at];
  if (host.changes === checked.changes) return findings;
  host.checkedAhead = undefined;
  return undefined;
}

function checkAhead(execution: Execution, index: number, max: number): CheckedAhead | undefined {
  const { run, progress } = execution;
  const nodes: PlanNode[] = [];
  for (let at = index + 1; nodes.length < max; at++) {
    const next = followerAt(run.graph.vertices, at);
    if (!next) break;
    if (!isTrusted(execution, next)) nodes.push(next);
  }
  const [first] = nodes;
  if (!first) return undefined;
  const timeoutMs = Math.min(...nodes.map(({ step }) => step.timeoutMs));
  const checking = run.deadlines.within(timeoutMs, (signal) =>
    Promise.all(nodes.map((node) => check(run, node, signal))),
  );
  return { nodes, findings: checking.catch(() => []), changes: progress.hostState(first.host).changes };
}

/** The node at this position, if it only depends on the previous one and that is on the same host. */
function followerAt(vertices: readonly Vertex[], at: number): PlanNode | undefined {
  const before = vertices[at - 1];
  const next = vertices[at];
  if (before?.type !== 'node' || next?.type !== 'node' || before.host !== next.host) return undefined;
  const after = dependenciesOf(next);
  return after.length === 1 && after[0] === at - 1 && next.step.needs.length === 0 ? next : undefined;
}

/** Ignores errors, because results of earlier steps may be missing. The step is checked again when it runs. */
async function check({ contextFor }: Run, node: PlanNode, signal: AbortSignal) {
  try {
    const made = contextFor(node, signal, () => {});
    const ctx = made instanceof Promise ? await made : made;
    return await checkParts(node.step.parts(ctx), ctx);
  } catch {
    return undefined;
  }
}
