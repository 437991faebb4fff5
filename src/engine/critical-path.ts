import { dependenciesOf, type ExecutionGraph, type PlanNode, type Vertex } from '../plan/graph.ts';

/** A step on the critical path. */
export interface PathStep {
  readonly node: PlanNode;
  readonly ms: number;
}

/** The start and end time of each vertex of a graph, in milliseconds; 0 if it did not run. */
export interface Times {
  readonly started: Float64Array;
  readonly ended: Float64Array;
}

export const createTimes = ({ vertices }: ExecutionGraph): Times => ({
  started: new Float64Array(vertices.length),
  ended: new Float64Array(vertices.length),
});

/**
 * Returns the chain of steps that determined the duration of a run, in order. Each step waited for the previous one,
 * either because it depends on it or because both are on the same host, which runs one step at a time.
 */
export function criticalPath(
  { vertices }: ExecutionGraph,
  positions: ReadonlyMap<string, readonly number[]>,
  times: Times,
): readonly PathStep[] {
  const path = new Map<number, PathStep>();
  let at = latest(vertices.keys(), times);
  while (at !== undefined) {
    const node = vertices[at];
    if (node?.type !== 'node') break;
    const start = times.started[at]!;
    path.set(at, { node, ms: times.ended[at]! - start });
    const onHost = (positions.get(node.host.name) ?? []).filter((other) => times.ended[other]! <= start);
    // Steps that take less than a millisecond start and end at the same time.
    const before = [...onHost, ...nodesBefore(vertices, at)].filter((other) => !path.has(other));
    at = latest(before, times);
  }
  return [...path.values()].toReversed();
}

/** Returns the nodes that a vertex depends on, directly or through gates. */
function nodesBefore(vertices: readonly Vertex[], at: number): readonly number[] {
  const seen = new Set(dependenciesOf(vertices[at]!));
  // The iteration of a Set includes elements that are added during the iteration.
  for (const index of seen)
    if (vertices[index]!.type === 'gate') for (const before of dependenciesOf(vertices[index]!)) seen.add(before);
  return [...seen].filter((index) => vertices[index]!.type === 'node');
}

function latest(indexes: Iterable<number>, { ended }: Times): number | undefined {
  let last: number | undefined;
  for (const index of indexes)
    if (ended[index]! > 0 && (last === undefined || ended[index]! >= ended[last]!)) last = index;
  return last;
}
