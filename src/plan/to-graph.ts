import { fail } from '../common/errors/errors.ts';
import type { PlanFragment } from './fragment.ts';
import { checkNeeds, type ExecutionGraph, type NodeId, type Vertex } from './graph.ts';
import { layOut } from './layout.ts';

/** Turns a fragment into a graph and checks it, so an invalid plan fails before any host is changed. */
export function toGraph(name: string, fragment: PlanFragment): ExecutionGraph {
  const vertices: Vertex[] = [];
  layOut(fragment, vertices);
  checkUnique(vertices);
  checkNeeds(vertices);
  return Object.freeze({ name, vertices: Object.freeze(vertices) });
}

function checkUnique(vertices: readonly Vertex[]): void {
  const seen = new Set<NodeId>();
  for (const vertex of vertices) {
    if (vertex.type === 'gate') continue;
    if (seen.has(vertex.id)) throw fail('PLAN_DUPLICATE_NODE', { id: vertex.id });
    seen.add(vertex.id);
  }
}
