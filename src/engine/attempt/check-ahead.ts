import { dependenciesOf, type PlanNode, type Vertex } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/part.ts';
import type { Execution, Run } from '../execution.ts';
import type { CheckAhead, CheckedAhead, HostState } from '../host-state.ts';
import { isTrusted } from './decide.ts';
import { runNode } from './run-node.ts';
import { checkParts } from './run-step.ts';

/**
 * Runs a step with the findings from an earlier check, or checks it together with later steps on the host. While nothing
 * has to be done, the window doubles each time; after a change it starts again at one step, because a finding from before
 * a change is not valid after it.
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
  if (!findings && !host.checkedAhead && host.window > 1)
    host.checkedAhead = checkAhead(execution, node, index, host.window - 1);
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

/** The findings of a step; undefined if it was not checked, the check failed, or something changed since. */
async function takeFindings(
  host: HostState,
  checked: CheckedAhead,
  node: PlanNode,
): Promise<readonly Finding[] | undefined> {
  const check = checked.checks.get(node);
  if (!check) return undefined;
  checked.checks.delete(node);
  const findings = await check.findings;
  const isValid = check.isFollower ? host.changes === checked.changes : host.run.changes === checked.runChanges;
  if (!isValid) host.window = 1;
  if (host.checkedAhead === checked && (!isValid || checked.checks.size === 0)) host.checkedAhead = undefined;
  return isValid ? findings : undefined;
}

function checkAhead(execution: Execution, node: PlanNode, index: number, max: number): CheckedAhead | undefined {
  const { run, progress } = execution;
  const nodes = laterNodes(execution, node, index, max);
  if (nodes.length === 0) return undefined;
  const timeoutMs = Math.min(...nodes.map(({ node: { step } }) => step.timeoutMs));
  const checking = run.deadlines
    .within(timeoutMs, (signal) => Promise.all(nodes.map((each) => check(run, each.node, signal))))
    .catch(() => []);
  const checks = nodes.map(({ node, isFollower }, at): [PlanNode, CheckAhead] => [
    node,
    { isFollower, findings: checking.then((findings) => findings[at]) },
  ]);
  const { changes, run: all } = progress.hostState(node.host);
  return { checks: new Map(checks), changes, runChanges: all.changes };
}

/** The next nodes of the host whose checks need no values of other steps. */
function laterNodes(execution: Execution, { host }: PlanNode, index: number, max: number) {
  const { vertices } = execution.run.graph;
  const positions = execution.run.positions.get(host.name) ?? [];
  const nodes: { readonly node: PlanNode; readonly isFollower: boolean }[] = [];
  let isFollower = true;
  for (let at = positions.indexOf(index) + 1; at < positions.length && nodes.length < max; at++) {
    const position = positions[at]!;
    const next = vertices[position];
    isFollower &&= isNext(vertices, position);
    if (next?.type === 'node' && next.step.needs.length === 0 && !isTrusted(execution, next))
      nodes.push({ node: next, isFollower });
  }
  return nodes;
}

/** Whether the node at this position depends only on the previous one, and that is on the same host. */
function isNext(vertices: readonly Vertex[], at: number): boolean {
  const before = vertices[at - 1];
  const next = vertices[at];
  if (before?.type !== 'node' || next?.type !== 'node' || before.host !== next.host) return false;
  const after = dependenciesOf(next);
  return after.length === 1 && after[0] === at - 1;
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
