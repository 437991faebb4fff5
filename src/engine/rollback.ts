import { dependenciesOf, type PlanNode, type Vertex } from '../plan/graph.ts';
import { ensureReady } from './attempt/connect-host.ts';
import type { Execution } from './execution.ts';
import { isAbout } from './journal/run-state.ts';
import type { RolledBack } from './outcome.ts';
import { schedule, type Limits, type NodeOutcome } from './schedule/schedule.ts';

/**
 * Undoes the changes that this run made for failed tasks, in reverse order on each host and on all hosts in parallel.
 * Each undo operation has its own timeout.
 */
export async function rollBack(execution: Execution, limits: Limits): Promise<RolledBack> {
  const { run, progress } = execution;
  const undone: string[] = [];
  const notUndone: { node: string; reason: string }[] = [];
  const keep = (node: PlanNode, error: unknown, durationMs = 0) => {
    notUndone.push({ node: node.id, reason: error instanceof Error ? error.message : String(error) });
    run.report({ type: 'rollback-failed', run: run.info, node, at: Date.now(), durationMs, error });
  };
  await schedule(reversed(execution, targetsOf(execution, keep)), limits, {
    decide: (node) => {
      const quarantined = progress.totals.quarantined.has(node.host.name);
      if (!quarantined && !run.stop.hard.aborted) return undefined;
      keep(node, quarantined ? 'its host is quarantined' : 'the run was interrupted');
      return 'skipped';
    },
    run: async (node): Promise<NodeOutcome> => {
      const started = Date.now();
      try {
        await undoNode(execution, node);
        undone.push(node.id);
        const at = Date.now();
        run.report({ type: 'rolled-back', run: run.info, node, at, durationMs: at - started });
      } catch (error) {
        keep(node, error, Date.now() - started);
      }
      return 'done';
    },
  });
  return { undone, notUndone };
}

/**
 * Marks the nodes to undo: nodes of failed tasks that changed their host, unless a later successful task depends on
 * them.
 */
function targetsOf(execution: Execution, keep: (node: PlanNode, reason: string) => void): readonly boolean[] {
  const required = requiredByOthers(execution);
  return execution.run.graph.vertices.map((vertex, index) => {
    if (vertex.type === 'gate' || !hasFailedChanges(execution, vertex)) return false;
    const isRequired = required[index] === 1;
    if (isRequired) keep(vertex, 'a later task depends on it');
    return !isRequired;
  });
}

const hasFailedChanges = ({ progress: { totals, state } }: Execution, { id, task }: PlanNode) =>
  totals.failedTasks.has(task.path) && (state.nodes.get(id)?.changes.length ?? 0) > 0;

/** Marks the dependencies of successful tasks that changed their host; they must not be rolled back. */
function requiredByOthers({ run, progress: { totals, state } }: Execution): Uint8Array {
  const { vertices } = run.graph;
  const marks = new Uint8Array(vertices.length);
  for (let index = vertices.length - 1; index >= 0; index--) {
    const vertex = vertices[index]!;
    const stands =
      vertex.type === 'node' &&
      !totals.failedTasks.has(vertex.task.path) &&
      (state.nodes.get(vertex.id)?.changes.length ?? 0) > 0;
    if (stands || marks[index] === 1) for (const before of dependenciesOf(vertex)) marks[before] = 1;
  }
  return marks;
}

/**
 * Returns the reversed graph, with gates in place of nodes that are not undone. On each host, the last change is undone
 * first.
 */
function reversed(execution: Execution, targets: readonly boolean[]): readonly Vertex[] {
  const { vertices } = execution.run.graph;
  const after: number[][] = vertices.map(() => []);
  for (const [index, vertex] of vertices.entries())
    for (const before of dependenciesOf(vertex)) after[before]!.push(index);
  const orders = ordersOf(execution);
  const lanes = new Map<string, number>();
  const latestFirst = vertices
    .flatMap((_, index) => (targets[index] ? [index] : []))
    .sort((a, b) => orders[b]! - orders[a]! || b - a);
  for (const index of latestFirst) {
    const vertex = vertices[index]!;
    if (vertex.type === 'gate') continue;
    const later = lanes.get(vertex.host.name);
    if (later !== undefined) after[index]!.push(later);
    lanes.set(vertex.host.name, index);
  }
  return vertices.map((vertex, index): Vertex => {
    if (vertex.type === 'gate' || !targets[index]) return { type: 'gate', after: after[index]! };
    return { ...vertex, after: after[index]! };
  });
}

/**
 * Returns the order in which nodes changed their hosts. A node never comes after its dependents, which prevents cycles.
 */
function ordersOf({ run, progress: { state } }: Execution): Float64Array {
  const { vertices } = run.graph;
  const orders = new Float64Array(vertices.length).fill(Infinity);
  for (let index = vertices.length - 1; index >= 0; index--) {
    const vertex = vertices[index]!;
    const changed = vertex.type === 'node' ? state.nodes.get(vertex.id)?.changes.at(-1)?.order : undefined;
    orders[index] = Math.min(orders[index]!, changed ?? Infinity);
    for (const before of dependenciesOf(vertex)) orders[before] = Math.min(orders[before]!, orders[index]!);
  }
  return orders;
}

/** Undoes a node. Throws the reason if a change could not be undone. */
async function undoNode(execution: Execution, node: PlanNode): Promise<void> {
  const { run, progress } = execution;
  // Recorded before anything is undone, because the step is no longer complete afterwards.
  progress.record({ type: 'undoing', node: node.id });
  await run.journal.saved();
  // An earlier run may have changed a host that this run has not connected to yet.
  if (!progress.hostState(node.host).connected) await ensureReady(execution, node);
  const kept = await run.deadlines.within(node.step.timeoutMs, (signal) => undoParts(execution, node, signal));
  if (kept.length > 0) throw new Error(`${kept.join(', ')} cannot be undone`);
  progress.record({ type: 'undone', node: node.id });
  progress.state.nodes.delete(node.id);
}

/** Undoes changes and returns those that no part can undo. */
async function undoParts({ run, progress: { state } }: Execution, node: PlanNode, signal: AbortSignal) {
  const say = (line: string) => run.report({ type: 'said', run: run.info, node, at: Date.now(), line });
  const ctx = await run.contextFor(node, signal, say);
  const parts = node.step.parts(ctx);
  const kept: string[] = [];
  for (const change of (state.nodes.get(node.id)?.changes ?? []).toReversed()) {
    const part = parts.find((each, position) => isAbout(change, each, position));
    if (part?.rollback) await part.rollback(ctx, change.before ?? null);
    else kept.push(part?.summary ?? change.summary ?? change.key ?? '');
  }
  return kept;
}
