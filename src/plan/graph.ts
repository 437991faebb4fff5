import { fail } from '../common/errors/errors.ts';
import type { Host } from '../common/host.ts';
import type { Step } from '../step/contract/step.ts';
import type { PlanFragment, ScopeFragment } from './fragment.ts';
import { checkNeeds } from './needs.ts';

/** "etcd/install-etcd/etcd.start@node1": who planned it, what, and where. */
export type NodeId = string;

/** The task that planned a node. */
export interface PlanTask {
  /** "etcd/install-etcd" */
  readonly path: string;
  readonly module: string;
  readonly name: string;
  /** It makes no sense without each of its hosts. */
  readonly required: boolean;
}

/** One step on one host. */
export interface PlanNode {
  readonly type: 'node';
  readonly id: NodeId;
  readonly task: PlanTask;
  readonly step: Step;
  readonly host: Host;
  readonly after: After;
}

/** Where all hosts meet. With it a gate for n hosts costs 2n edges, not n². */
export interface Gate {
  readonly type: 'gate';
  readonly after: After;
}

/** Places in the graph's `vertices`. One alone stands bare: large plans have hundreds of thousands of those. */
export type After = number | readonly number[];

/** What the engine counts down. */
export type Vertex = PlanNode | Gate;

/** A whole, checked plan: the only thing the engine takes. Each vertex comes after all it waits for. */
export interface ExecutionGraph {
  readonly name: string;
  readonly vertices: readonly Vertex[];
}

/** Checks a fragment as a whole and lays out its nodes; throws before any host is touched. */
export function toGraph(name: string, fragment: PlanFragment): ExecutionGraph {
  const vertices: Vertex[] = [];
  lay(fragment, { vertices, task: NO_TASK, tasks: new Map() }, []);
  checkUnique(vertices);
  checkNeeds(vertices);
  return Object.freeze({ name, vertices: Object.freeze(vertices) });
}

/** What a vertex waits for. */
export const waitsFor = ({ after }: Vertex): readonly number[] => (typeof after === 'number' ? [after] : after);

export const nodesOf = ({ vertices }: ExecutionGraph): readonly PlanNode[] =>
  vertices.filter((vertex) => vertex.type === 'node');

/** How many steps each host has. */
export function stepsByHost(nodes: readonly PlanNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { host } of nodes) counts.set(host.name, (counts.get(host.name) ?? 0) + 1);
  return counts;
}

const NO_TASK: PlanTask = Object.freeze({ path: '', module: '', name: '', required: false });

interface Layout {
  readonly vertices: Vertex[];
  readonly task: PlanTask;
  readonly tasks: Map<string, PlanTask>;
}

/** Adds the fragment's nodes behind `after`; says what comes last in it. */
function lay(fragment: PlanFragment, layout: Layout, after: readonly number[]): readonly number[] {
  switch (fragment.type) {
    case 'empty':
      return after;
    case 'chain':
      return fragment.hosts.map((host) => layChain(host, fragment.steps, layout, after));
    case 'parallel':
      return fragment.fragments.flatMap((each) => lay(each, layout, after));
    case 'sequence':
      return fragment.fragments.reduce((last, each) => lay(each, layout, meet(layout, last)), after);
    case 'scope':
      return lay(fragment.fragment, { ...layout, task: taskWithin(layout, fragment) }, after);
  }
}

function layChain(host: Host, steps: readonly Step[], { vertices, task }: Layout, start: readonly number[]): number {
  let after: After = start.length === 1 ? start[0]! : start;
  for (const step of steps) {
    const id = `${task.path}${task.path && '/'}${step.name}@${host.name}`;
    after = vertices.push(Object.freeze({ type: 'node', id, task, step, host, after })) - 1;
  }
  return vertices.length - 1;
}

function meet({ vertices }: Layout, after: readonly number[]): readonly number[] {
  if (after.length < 2) return after;
  return [vertices.push(Object.freeze({ type: 'gate', after })) - 1];
}

function taskWithin({ task, tasks }: Layout, { name, required = false }: ScopeFragment): PlanTask {
  const path = task.path ? `${task.path}/${name}` : name;
  const made = { path, module: task.module || name, name, required: task.required || required };
  const known = tasks.get(path);
  if (known?.required === made.required) return known;
  tasks.set(path, Object.freeze(made));
  return made;
}

function checkUnique(vertices: readonly Vertex[]): void {
  const seen = new Set<NodeId>();
  for (const vertex of vertices) {
    if (vertex.type === 'gate') continue;
    if (seen.has(vertex.id)) throw fail('PLAN_DUPLICATE_NODE', { id: vertex.id });
    seen.add(vertex.id);
  }
}
