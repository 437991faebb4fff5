import { fail } from '../common/errors/errors.ts';
import type { NodeId, Vertex } from './graph.ts';

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
