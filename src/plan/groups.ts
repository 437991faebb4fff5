import { waitsFor, type ExecutionGraph, type PlanNode, type PlanTask, type Vertex } from './graph.ts';
import type { Step } from '../step/contract/step.ts';

/** One step on the hosts that do it at the same point of a plan: what people look at. */
export interface Group {
  readonly task: PlanTask;
  readonly step: Step;
  readonly hosts: readonly string[];
  /** Groups before it, by place: each host waits for its own step there, or for all of them. */
  readonly after: ReadonlyMap<number, 'each' | 'all'>;
}

/** Puts nodes together that differ in the host only. Groups never wait for later ones: rolling steps become several. */
export function groupsOf({ vertices }: ExecutionGraph): readonly Group[] {
  const groups: Draft[] = [];
  const latest = new Map<string, number>();
  const places: ReadonlySet<number>[] = [];
  for (const vertex of vertices) {
    const before = edgesOf(vertex, vertices, places);
    if (vertex.type === 'gate') places.push(new Set(before.keys()));
    else places.push(new Set([placeOf(vertex, before, groups, latest)]));
  }
  return groups;
}

interface Draft extends Group {
  readonly hosts: string[];
  readonly after: Map<number, 'each' | 'all'>;
}

function edgesOf(
  vertex: Vertex,
  vertices: readonly Vertex[],
  places: readonly ReadonlySet<number>[],
): Map<number, 'each' | 'all'> {
  const edges = new Map<number, 'each' | 'all'>();
  for (const index of waitsFor(vertex)) {
    const other = vertices[index]!;
    const own = vertex.type === 'node' && other.type === 'node' && other.host.name === vertex.host.name;
    for (const place of places[index]!) if (edges.get(place) !== 'all') edges.set(place, own ? 'each' : 'all');
  }
  return edges;
}

function placeOf(
  { task, step, host }: PlanNode,
  before: ReadonlyMap<number, 'each' | 'all'>,
  groups: Draft[],
  latest: Map<string, number>,
): number {
  const key = `${task.path}/${step.name}`;
  let place = latest.get(key);
  if (place === undefined || [...before.keys()].some((other) => other >= place!)) {
    place = groups.push({ task, step, hosts: [], after: new Map() }) - 1;
    latest.set(key, place);
  }
  const group = groups[place]!;
  group.hosts.push(host.name);
  for (const [other, kind] of before) if (group.after.get(other) !== 'all') group.after.set(other, kind);
  return place;
}
