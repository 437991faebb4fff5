import { dependenciesOf, type ExecutionGraph, type PlanNode, type PlanTask, type Vertex } from './graph.ts';
import type { Step } from '../step/contract/step.ts';

/** One step and the hosts that run it at the same point of a plan: one line of the outline. */
export interface Group {
  readonly task: PlanTask;
  readonly step: Step;
  readonly hosts: readonly string[];
  /** By indexes of the groups it waits for. */
  readonly after: ReadonlyMap<number, Awaited>;
}

/** Which hosts of another group are waited for: each host waits for itself, or all hosts wait for these. */
export type Awaited = 'each' | ReadonlySet<string>;

/** Groups nodes that differ only in their host. No group depends on a later one: a rolling step yields several. */
export function groupsOf({ vertices }: ExecutionGraph): readonly Group[] {
  const groups: MutableGroup[] = [];
  const latest = new Map<string, number>();
  /** For each vertex, its group and host; for a gate, those of all vertices before it. */
  const groupsAt: ReadonlyMap<number, ReadonlySet<string>>[] = [];
  for (const vertex of vertices) {
    const before = edgesOf(vertex, vertices, groupsAt);
    if (vertex.type === 'gate') groupsAt.push(new Map([...before].map(([group, hosts]) => [group, asSet(hosts, [])])));
    else groupsAt.push(new Map([[addToGroup(vertex, before, groups, latest), new Set([vertex.host.name])]]));
  }
  return groups;
}

interface MutableGroup extends Group {
  readonly hosts: string[];
  readonly after: Map<number, Awaited>;
}

function edgesOf(
  vertex: Vertex,
  vertices: readonly Vertex[],
  groupsAt: readonly ReadonlyMap<number, ReadonlySet<string>>[],
): ReadonlyMap<number, Awaited> {
  const edges = new Map<number, Awaited>();
  const own = vertex.type === 'node' ? [vertex.host.name] : [];
  for (const index of dependenciesOf(vertex)) {
    const other = vertices[index]!;
    const sameHost = vertex.type === 'node' && other.type === 'node' && other.host.name === vertex.host.name;
    for (const [group, hosts] of groupsAt[index]!) addEdge(edges, group, sameHost ? 'each' : hosts, own);
  }
  return edges;
}

/** `own` are the hosts that wait. */
function addEdge(edges: Map<number, Awaited>, group: number, hosts: Awaited, own: readonly string[]): void {
  const known = edges.get(group);
  if (known === undefined) edges.set(group, hosts);
  // Many hosts wait for the same gate, so most sets are the same object.
  else if (known !== hosts) edges.set(group, new Set([...asSet(known, own), ...asSet(hosts, own)]));
}

const asSet = (hosts: Awaited, own: readonly string[]): ReadonlySet<string> =>
  hosts === 'each' ? new Set(own) : hosts;

/** Adds a node to the latest group of its step, or to a new one, and returns the index of the group. */
function addToGroup(
  { task, step, host }: PlanNode,
  before: ReadonlyMap<number, Awaited>,
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
  for (const [other, hosts] of before) addEdge(group.after, other, hosts, group.hosts);
  return index;
}
