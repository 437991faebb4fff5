import { dependenciesOf, type PlanNode, type Vertex } from '../plan/graph.ts';
import type { Undone } from './ending.ts';
import type { Execution } from './execute.ts';
import { isAbout } from './journal/run-state.ts';
import { schedule, type Limits, type NodeOutcome } from './schedule/schedule.ts';
import { settle } from './attempt/meet-host.ts';

/** Undoes what this run changed for the tasks that failed: last first, hosts side by side, each with time of its own. */
export async function undo(execution: Execution, limits: Limits): Promise<Undone> {
  const { graph, tally, stop, report, info: run } = execution;
  const undone: string[] = [];
  const notUndone: { node: string; reason: string }[] = [];
  const leave = (node: PlanNode, error: unknown, durationMs = 0) => {
    notUndone.push({ node: node.id, reason: error instanceof Error ? error.message : String(error) });
    report({ type: 'rollback-failed', run, node, at: Date.now(), durationMs, error });
  };
  const builtOn = whatIsBuiltOn(execution);
  const targets = graph.vertices.map((vertex, index) => {
    if (vertex.type === 'gate' || !isToBeUndone(execution, vertex)) return false;
    const isFloor = builtOn[index] === 1;
    if (isFloor) leave(vertex, 'a later task was built on it');
    return !isFloor;
  });
  await schedule(backwards(execution, targets), limits, {
    decide: (node) => {
      const aside = tally.setAside.has(node.host.name);
      if (!aside && !stop.hard.aborted) return undefined;
      leave(node, aside ? 'its host was set aside' : 'you stopped the run');
      return 'skipped';
    },
    run: async (node): Promise<NodeOutcome> => {
      const started = Date.now();
      try {
        await undoNode(execution, node);
        undone.push(node.id);
        const at = Date.now();
        report({ type: 'rolled-back', run, node, at, durationMs: at - started });
      } catch (error) {
        leave(node, error, Date.now() - started);
      }
      return 'done';
    },
  });
  return { undone, notUndone };
}

const isToBeUndone = ({ tally, state }: Execution, { id, task }: PlanNode) =>
  tally.failedTasks.has(task.path) && (state.nodes.get(id)?.changes.length ?? 0) > 0;

/** Marks what something outside the failed tasks came after and changed its host: undoing it would pull the floor away. */
function whatIsBuiltOn({ graph, tally, state }: Execution): Uint8Array {
  const { vertices } = graph;
  const marks = new Uint8Array(vertices.length);
  for (let index = vertices.length - 1; index >= 0; index--) {
    const vertex = vertices[index]!;
    const stands =
      vertex.type === 'node' &&
      !tally.failedTasks.has(vertex.task.path) &&
      (state.nodes.get(vertex.id)?.changes.length ?? 0) > 0;
    if (stands || marks[index] === 1) for (const before of dependenciesOf(vertex)) marks[before] = 1;
  }
  return marks;
}

/** The graph from its end; what is not to be undone is a gate. On a host the last change comes first. */
function backwards(execution: Execution, targets: readonly boolean[]): readonly Vertex[] {
  const { vertices } = execution.graph;
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

/** When each node changed its host, but never later than what came after it in the plan: so no two can wait for each other. */
function ordersOf({ graph, state }: Execution): Float64Array {
  const { vertices } = graph;
  const orders = new Float64Array(vertices.length).fill(Infinity);
  for (let index = vertices.length - 1; index >= 0; index--) {
    const vertex = vertices[index]!;
    const changed = vertex.type === 'node' ? state.nodes.get(vertex.id)?.changes.at(-1)?.order : undefined;
    orders[index] = Math.min(orders[index]!, changed ?? Infinity);
    for (const before of dependenciesOf(vertex)) orders[before] = Math.min(orders[before]!, orders[index]!);
  }
  return orders;
}

/** Throws why it is not, or not all, undone. */
async function undoNode(execution: Execution, node: PlanNode): Promise<void> {
  const { record, journal, state, deadlines, hostRun } = execution;
  // Ahead of the effect: from here on the step does not count as done.
  record({ type: 'undoing', node: node.id });
  await journal.saved();
  // What an earlier run changed may be undone by one that was not on this host yet.
  if (!hostRun(node.host).met) await settle(execution, node);
  const kept = await deadlines.within(node.step.timeoutMs, (signal) => undoParts(execution, node, signal));
  if (kept.length > 0) throw new Error(`${kept.join(', ')} cannot be undone`);
  record({ type: 'undone', node: node.id });
  state.nodes.delete(node.id);
}

/** Resolves with the parts that have no way back. */
async function undoParts({ contextFor, report, info: run, state }: Execution, node: PlanNode, signal: AbortSignal) {
  const ctx = await contextFor(node, signal, (line) => report({ type: 'said', run, node, at: Date.now(), line }));
  const parts = node.step.parts(ctx);
  const kept: string[] = [];
  for (const change of (state.nodes.get(node.id)?.changes ?? []).toReversed()) {
    const part = parts.find((each, position) => isAbout(change, each, position));
    if (part?.rollback) await part.rollback(ctx, change.before ?? null);
    else kept.push(change.summary);
  }
  return kept;
}
