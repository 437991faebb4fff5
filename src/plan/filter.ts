import { fail } from '../common/errors/errors.ts';
import { LOCAL } from '../common/host.ts';
import { nodesOf, waitsFor, type ExecutionGraph, type PlanNode, type Vertex } from './graph.ts';
import { checkNeeds } from './needs.ts';

/** What a user may ask to be done of a plan. What is not given does not restrict. */
export interface Selection {
  /** Any of these: a module, a task, a step, or the first word of a step's name. */
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  /** One task: its name or its path. */
  readonly task?: string;
  /** Names of hosts; steps on the local machine always stay. */
  readonly hosts?: readonly string[];
}

/** The selected part of a plan, in the same order. Throws when nothing is left, or something left needs what is not. */
export function filterGraph(graph: ExecutionGraph, selection: Selection): ExecutionGraph {
  const selected = selectedBy(selection);
  const kept = keep(graph.vertices, selected);
  if (!kept.some(({ type }) => type === 'node')) {
    const known = [...new Set(nodesOf(graph).flatMap(({ task }) => task.path.split('/')))];
    throw fail('PLAN_NOTHING_SELECTED', { plan: graph.name, known: known.filter(Boolean).join(', ') });
  }
  checkNeeds(kept, (key) => providerOf(graph, key));
  return Object.freeze({ name: graph.name, vertices: Object.freeze(kept) });
}

/** What a tag can name on a node. */
export const tagsOf = ({ task, step }: Pick<PlanNode, 'task' | 'step'>): readonly string[] => [
  task.path,
  ...task.path.split('/'),
  step.name,
  step.name.split('.')[0]!,
];

function selectedBy({ tags, skipTags = [], task, hosts }: Selection): (node: PlanNode) => boolean {
  const names = hosts && new Set([LOCAL.name, ...hosts]);
  return (node) => {
    const own = tagsOf(node);
    return (
      (tags === undefined || tags.some((tag) => own.includes(tag))) &&
      !skipTags.some((tag) => own.includes(tag)) &&
      (task === undefined || node.task.name === task || node.task.path === task) &&
      (names === undefined || names.has(node.host.name))
    );
  };
}

/** Drops nodes; whoever waited for a dropped one waits for what that one waited for. */
function keep(vertices: readonly Vertex[], selected: (node: PlanNode) => boolean): Vertex[] {
  const kept: Vertex[] = [];
  const stands: (readonly number[])[] = [];
  for (const vertex of vertices) {
    const after = [...new Set(waitsFor(vertex).flatMap((index) => stands[index]!))];
    if (vertex.type === 'node' && selected(vertex)) stands.push([kept.push(Object.freeze({ ...vertex, after })) - 1]);
    else if (after.length < 2) stands.push(after);
    else stands.push([kept.push(Object.freeze({ type: 'gate', after })) - 1]);
  }
  return kept;
}

const providerOf = (graph: ExecutionGraph, key: string) =>
  nodesOf(graph).find(({ step }) => step.provides.some(({ name }) => name === key))?.id;
