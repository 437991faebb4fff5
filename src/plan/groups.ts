import { dependenciesOf, type ExecutionGraph, type PlanNode, type PlanTask, type Vertex } from './graph.ts';
import type { Step } from '../step/contract/step.ts';

/** One step and the hosts that run it at the same point of a plan: one line of the outline. */
export interface Group {
  readonly task: PlanTask;
  readonly step: Step;
  readonly hosts: readonly string[];
  /** Indexes of the groups it waits for; each host waits for the same host there, or for all hosts. */
  readonly after: ReadonlyMap<number, 'each' | 'all'>;
}

/** Groups nodes that differ only in their host. No group depends on a later one: a rolling step yields several. */
export function groupsOf({ vertices }: ExecutionGraph): readonly Group[] {
  const groups: MutableGroup[] = [];
  const latest = new Map<string, number>();
  /** For each vertex, its group; for a gate, the groups before it. */
  const groupsAt: ReadonlySet<number>[] = [];
  for (const vertex of vertices) {
    const before = edgesOf(vertex, vertices, groupsAt);
    if (vertex.type === 'gate') groupsAt.push(new Set(before.keys()));
    else groupsAt.push(new Set([addToGroup(vertex, before, groups, latest)]));
  }
  return groups;
}

interface MutableGroup extends Group {
  readonly hosts: string[];
  readonly after: Map<number, 'each' | 'all'>;
}

function edgesOf(
  vertex: Vertex,
  vertices: readonly Vertex[],
  groupsAt: readonly ReadonlySet<number>[],
): Map<number, 'each' | 'all'> {
  const edges = new Map<number, 'each' | 'all'>();
  for (const index of dependenciesOf(vertex)) {
    const other = vertices[index]!;
    const sameHost = vertex.type === 'node' && other.type === 'node' && other.host.name === vertex.host.name;
    for (const group of groupsAt[index]!) if (edges.get(group) !== 'all') edges.set(group, sameHost ? 'each' : 'all');
  }
  return edges;
}

/** Adds a node to the latest group of its step, or to a new one, and returns the index of the group. */
function addToGroup(
  { task, step, host }: PlanNode,
  before: ReadonlyMap<number, 'each' | 'all'>,
  groups: MutableGroup[],
  latest: Map<string, number>,
): number {
  const key = `${task.path}/${step.name}`;
  let index = latest.get(key);
  if (index === undefined || [...before.keys()].some((other) => other >= index!)) {
    index = groups.push({ task, step, hosts: [], after: new Map() }) - 1;
    latest.set(key, index);
  }
  const group = groups[index]!;
  group.hosts.push(host.name);
  for (const [other, kind] of before) if (group.after.get(other) !== 'all') group.after.set(other, kind);
  return index;
}
