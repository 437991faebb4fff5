import { expect, it } from 'vitest';
import { criticalPath, createTimes } from '../../../src/engine/critical-path.ts';
import { chain, parallel, sequence, type PlanFragment } from '../../../src/plan/fragment.ts';
import { positionsByHost } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { hostNamed } from '../../fake/fake-world.ts';

const [a, b] = [hostNamed('a'), hostNamed('b')];
const step = (name: string) => fakeStep(`s.${name}`);

/** The path of a run with the given start and end of each step, in the order of the plan. */
function pathOf(fragment: PlanFragment, spans: readonly (readonly [start: number, end: number])[]): readonly string[] {
  const graph = toGraph('p', fragment);
  const times = createTimes(graph);
  const nodes = graph.vertices.flatMap((vertex, at) => (vertex.type === 'node' ? [at] : []));
  for (const [n, [start, end]] of spans.entries()) {
    times.started[nodes[n]!] = start;
    times.ended[nodes[n]!] = end;
  }
  return criticalPath(graph, positionsByHost(graph), times).map(
    ({ node, ms }) => `${node.step.name}@${node.host.name} ${ms}`,
  );
}

it('follows the slower host through a gate', () => {
  const plan = sequence(chain([a, b], [step('one')]), chain(a, [step('two')]));
  const spans = [
    [1, 3],
    [1, 9],
    [9, 12],
  ] as const;
  expect(pathOf(plan, spans)).toEqual(['s.one@b 8', 's.two@a 3']);
});

it('includes a step that only occupied the host', () => {
  const plan = parallel(chain(a, [step('one')]), chain(a, [step('two')]));
  const spans = [
    [5, 8],
    [1, 5],
  ] as const;
  expect(pathOf(plan, spans)).toEqual(['s.two@a 4', 's.one@a 3']);
});

it('includes steps that take no time and ignores steps that did not run', () => {
  const plan = chain(a, [step('one'), step('two'), step('three')]);
  const spans = [
    [5, 5],
    [5, 5],
    [0, 0],
  ] as const;
  expect(pathOf(plan, spans)).toEqual(['s.one@a 0', 's.two@a 0']);
});

it('is empty for a run without steps', () => {
  expect(pathOf(parallel(), [])).toEqual([]);
});
