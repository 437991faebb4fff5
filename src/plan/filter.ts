import { fail } from '../common/errors/errors.ts';
import { LOCAL } from '../common/host.ts';
import { checkNeeds, nodesOf, dependenciesOf, type ExecutionGraph, type PlanNode, type Vertex } from './graph.ts';

/** The part of a plan to run; omitted fields do not restrict it. */
export interface Selection {
  /** Names of modules, tasks, steps, or the first part of step names. */
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  /** Name or path of one task. */
  readonly task?: string;
  /** Names of hosts; steps on the local machine are always included. */
  readonly hosts?: readonly string[];
}

/** The selected part of a plan, in the same order. Throws if it is empty or needs a value from an excluded step. */
export function filterGraph(graph: ExecutionGraph, selection: Selection): ExecutionGraph {
  const kept = selectVertices(graph.vertices, matcher(selection));
  if (!kept.some(({ type }) => type === 'node')) {
    const known = [...new Set(nodesOf(graph).flatMap(({ task }) => task.path.split('/')))];
    throw fail('PLAN_NOTHING_SELECTED', { plan: graph.name, known: known.filter(Boolean).join(', ') });
  }
  checkNeeds(kept, (key) => providerOf(graph, key));
  return Object.freeze({ name: graph.name, vertices: Object.freeze(kept) });
}

/** The tags that select a node. */
export const tagsOf = ({ task, step }: Pick<PlanNode, 'task' | 'step'>): readonly string[] => [
  task.path,
  ...task.path.split('/'),
  step.name,
  step.name.split('.')[0]!,
];

function matcher({ tags, skipTags = [], task, hosts }: Selection): (node: PlanNode) => boolean {
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

/** Drops unselected nodes; the dependents of a dropped node inherit its dependencies. */
function selectVertices(vertices: readonly Vertex[], isSelected: (node: PlanNode) => boolean): Vertex[] {
  const kept: Vertex[] = [];
  /** For each vertex, the kept vertices that take its place. */
  const replacements: (readonly number[])[] = [];
  for (const vertex of vertices) {
    const after = [...new Set(dependenciesOf(vertex).flatMap((index) => replacements[index]!))];
    if (vertex.type === 'node' && isSelected(vertex))
      replacements.push([kept.push(Object.freeze({ ...vertex, after })) - 1]);
    else if (after.length < 2) replacements.push(after);
    else replacements.push([kept.push(Object.freeze({ type: 'gate', after })) - 1]);
  }
  return kept;
}

const providerOf = (graph: ExecutionGraph, key: string) =>
  nodesOf(graph).find(({ step }) => step.provides.some(({ name }) => name === key))?.id;
