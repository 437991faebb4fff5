import { fail } from '../common/errors/errors.ts';
import type { Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';

/** "etcd/install-etcd/etcd.start@node1": module, task, step and host. */
export type NodeId = string;

/** The task that planned a node. */
export interface PlanTask {
  /** "etcd/install-etcd" */
  readonly path: string;
  readonly module: string;
  readonly name: string;
  /** "Install etcd" */
  readonly title: string;
}

/** One step on one host. */
export interface PlanNode {
  readonly type: 'node';
  readonly id: NodeId;
  readonly task: PlanTask;
  readonly step: Step;
  readonly host: Host;
  readonly after: Dependencies;
}

/** A barrier: no host continues until all have reached it. It takes 2n edges for n hosts instead of n². */
export interface Gate {
  readonly type: 'gate';
  readonly after: Dependencies;
}

/** Indexes into the graph's `vertices`. A single one is a plain number, which saves memory in large plans. */
export type Dependencies = number | readonly number[];

/** A step on a host, or a gate. */
export type Vertex = PlanNode | Gate;

/** A checked plan, the input of the engine. Every vertex comes after its dependencies. */
export interface ExecutionGraph {
  readonly name: string;
  readonly vertices: readonly Vertex[];
}

export const dependenciesOf = ({ after }: Vertex): readonly number[] => (typeof after === 'number' ? [after] : after);

export const nodesOf = ({ vertices }: ExecutionGraph): readonly PlanNode[] =>
  vertices.filter((vertex) => vertex.type === 'node');

/** The number of steps of each host. */
export function stepsByHost(nodes: readonly PlanNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of nodes) counts.set(host.name, (counts.get(host.name) ?? 0) + 1);
  return counts;
}

/** The positions of each host's nodes among the vertices, in order. */
export function positionsByHost({ vertices }: ExecutionGraph): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, vertex] of vertices.entries()) {
    if (vertex.type === 'gate') continue;
    const known = positions.get(vertex.host.name);
    if (known) known.push(at);
    else positions.set(vertex.host.name, [at]);
  }
  return positions;
}

/** Throws if no earlier node provides a value that a node needs; `excludedProvider` finds one that was filtered out. */
export function checkNeeds(vertices: readonly Vertex[], excludedProvider?: (key: string) => NodeId | undefined): void {
  const provided: ReadonlySet<string>[] = [];
  for (const vertex of vertices) {
    const before =
      typeof vertex.after === 'number' ? provided[vertex.after]! : union(vertex.after.map((index) => provided[index]!));
    if (vertex.type === 'gate') {
      provided.push(before);
      continue;
    }
    const { id, step } = vertex;
    const missing = step.needs.find(({ name }) => !before.has(name));
    if (missing)
      throw fail('PLAN_UNMET_NEED', { id, key: missing.name, leftOut: excludedProvider?.(missing.name) ?? '' });
    provided.push(step.provides.length === 0 ? before : new Set([...before, ...step.provides.map(({ name }) => name)]));
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** Returns an input set where possible: most nodes then share one set, which keeps large plans cheap. */
function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = NOTHING, ...others] = new Set(sets);
  if (others.length === 0) return first;
  const all = new Set(first);
  for (const set of others) for (const name of set) all.add(name);
  return all.size === first.size ? first : all;
}
