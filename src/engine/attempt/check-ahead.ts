import { dependenciesOf, type PlanNode } from '../../plan/graph.ts';
import type { Finding } from '../../step/contract/part.ts';
import type { Execution, Run } from '../execution.ts';
import type { HostState } from '../host-state.ts';
import { isTrusted } from './decide.ts';
import { runNode } from './run-node.ts';
import { checkParts } from './run-step.ts';

/**
 * Runs a step with the findings from an earlier check, or checks it together with later steps on the host. As long as
 * nothing has to be changed, the number of steps checked together grows. After a change it is reset to one, because
 * earlier findings may no longer be valid.
 */
export async function runWithChecksAhead(
  execution: Execution,
  node: PlanNode,
  index: number,
): Promise<'skipped' | 'done'> {
  const host = execution.progress.hostState(node.host);
  const findings = await takeFindings(host, node);
  if (findings?.every(({ done }) => done) && node.step.provides.length === 0) return 'skipped';
  const running = runNode(execution, node, findings);
  // Starts in the same tick, so that all checks share a round trip.
  if (!findings) {
    if (host.window > 1) checkAhead(execution, node, index, host.window - 1);
    host.window = Math.min(host.window * GROWTH, MAX_WINDOW);
  }
  return running;
}

const GROWTH = 8;
const MAX_WINDOW = 256;

/** Discards earlier findings after a step that may have changed the host. */
export function discardChecks(host: HostState): void {
  host.window = 1;
  host.checkedAhead.clear();
}

/**
 * Returns the findings of a step, or undefined if it was not checked, the check failed, or something has changed since
 * then.
 */
async function takeFindings(host: HostState, node: PlanNode): Promise<readonly Finding[] | undefined> {
  const check = host.checkedAhead.get(node);
  if (!check) return undefined;
  host.checkedAhead.delete(node);
  const findings = await check.findings;
  const isValid = check.isFollower ? host.changes === check.changes : host.run.changes === check.runChanges;
  if (!isValid) discardChecks(host);
  return isValid ? findings : undefined;
}

function checkAhead(execution: Execution, node: PlanNode, index: number, max: number): void {
  const { run, progress } = execution;
  const nodes = laterNodes(execution, node, index, max);
  if (nodes.length === 0) return;
  const timeoutMs = Math.min(...nodes.map(({ node: { step } }) => step.timeoutMs));
  const checking = run.deadlines
    .within(timeoutMs, (signal) => Promise.all(nodes.map((each) => check(run, each.node, signal))))
    .catch(() => []);
  const { changes, run: all, checkedAhead } = progress.hostState(node.host);
  for (const [at, { node, isFollower }] of nodes.entries())
    checkedAhead.set(node, {
      isFollower,
      findings: checking.then((findings) => findings[at]),
      changes,
      runChanges: all.changes,
    });
}

/** Returns the next nodes of the host that have not been checked and whose checks need no values from other steps. */
function laterNodes(execution: Execution, { host }: PlanNode, index: number, max: number) {
  const { run, progress } = execution;
  const { vertices } = run.graph;
  const { checkedAhead } = progress.hostState(host);
  const positions = run.positions.get(host.name) ?? [];
  const nodes: { readonly node: PlanNode; readonly isFollower: boolean }[] = [];
  const followers = new Set([index]);
  for (let at = positions.indexOf(index) + 1; at < positions.length && nodes.length < max; at++) {
    const position = positions[at]!;
    const next = vertices[position];
    const isFollower = dependenciesOf(vertices[position]!).every((before) => isSettled(execution, followers, before));
    if (isFollower) followers.add(position);
    if (next?.type === 'node' && next.step.needs.length === 0 && !isTrusted(execution, next) && !checkedAhead.has(next))
      nodes.push({ node: next, isFollower });
  }
  return nodes;
}

/** Returns whether a vertex has ended or depends only on ended vertices and on the given steps of the host. */
function isSettled(execution: Execution, followers: ReadonlySet<number>, index: number): boolean {
  if (followers.has(index) || execution.progress.times.ended[index]! > 0) return true;
  const vertex = execution.run.graph.vertices[index]!;
  if (vertex.type === 'node') return false;
  const before = dependenciesOf(vertex);
  return before.length <= MAX_BEFORE && before.every((each) => isSettled(execution, followers, each));
}

// Limits the work for gates of many hosts, whose steps have rarely all ended.
const MAX_BEFORE = 16;

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
