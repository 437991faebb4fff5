import fc from 'fast-check';
import { chain, parallel, scope, sequence, type PlanFragment } from '../../../src/plan/fragment.ts';
import type { ExecutionGraph } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { hostNamed } from '../../fake/fake-world.ts';

export const HOSTS = ['a', 'b', 'c'];
const hosts = HOSTS.map(hostNamed);

/** A plan without step names. Steps are numbered later, so that all names differ. */
type Shape =
  | {
      readonly type: 'chain';
      readonly hosts: readonly number[];
      readonly length: number;
      readonly files: number;
    }
  | { readonly type: 'sequence' | 'parallel'; readonly shapes: readonly Shape[] };

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({
      type: fc.constant('chain' as const),
      hosts: fc.subarray([0, 1, 2], { minLength: 1 }),
      length: fc.integer({ min: 1, max: 3 }),
      files: fc.integer({ min: 1, max: 2 }),
    }),
    fc.record({
      type: fc.constantFrom('sequence' as const, 'parallel' as const),
      shapes: fc.array(tie('shape'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

/** Random plans on three hosts. Every step writes its own files; every chain is a task. */
export const graphs: fc.Arbitrary<ExecutionGraph> = shape.map((shape) => {
  let count = 0;
  const build = (shape: Shape): PlanFragment => {
    if (shape.type !== 'chain') {
      const parts = shape.shapes.map(build);
      return shape.type === 'sequence' ? sequence(...parts) : parallel(...parts);
    }
    const where = shape.hosts.map((at) => hosts[at]!);
    const name = `t${++count}`;
    const steps = Array.from({ length: shape.length }, (_, at) => fakeStep(`${name}.s${at}`, {}, shape.files));
    return scope('m', scope(name, chain(where, steps)));
  };
  return toGraph('random', build(shape));
});
