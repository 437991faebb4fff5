import fc from 'fast-check';
import {
  chain,
  milestone,
  parallel,
  perHost,
  scope,
  sequence,
  withCleanup,
  type PlanFragment,
} from '../../../src/plan/fragment.ts';
import type { Host } from '../../../src/common/host.ts';
import type { Step } from '../../../src/step/contract/step.ts';
import { dependenciesOf, type ExecutionGraph, type Vertex } from '../../../src/plan/graph.ts';
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
      readonly together: boolean;
    }
  | {
      readonly type: 'sequence' | 'parallel' | 'per-host' | 'milestone' | 'cleanup';
      readonly hosts: readonly number[];
      readonly shapes: readonly Shape[];
    };

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({
      type: fc.constant('chain' as const),
      hosts: fc.subarray([0, 1, 2], { minLength: 1 }),
      length: fc.integer({ min: 1, max: 3 }),
      files: fc.integer({ min: 1, max: 2 }),
      together: fc.boolean(),
    }),
    fc.record({
      type: fc.constantFrom('sequence', 'parallel', 'per-host', 'milestone', 'cleanup'),
      hosts: fc.subarray([0, 1, 2]),
      shapes: fc.array(tie('shape'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

/** Random plans on three hosts. Every step writes its own files; every chain is a task. */
export const graphs: fc.Arbitrary<ExecutionGraph> = shape.map((shape) => {
  let count = 0;
  const build = (shape: Shape): PlanFragment => {
    const where = shape.hosts.map((at) => hosts[at]!);
    if (shape.type !== 'chain') return combine(shape.type, where, shape.shapes.map(build));
    const name = `t${++count}`;
    const steps = Array.from({ length: shape.length }, (_, at) => fakeStep(`${name}.s${at}`, {}, shape.files));
    return scope('m', scope(name, chain(where, shape.together ? steps.map(withPartsTogether) : steps)));
  };
  return toGraph('random', build(shape));
});

/** The same step, whose parts run together. */
export const withPartsTogether = (step: Step): Step => ({
  ...step,
  parts: (view) => step.parts(view).map((part) => ({ ...part, together: 'files' })),
});

function combine(type: Exclude<Shape['type'], 'chain'>, where: readonly Host[], parts: readonly PlanFragment[]) {
  switch (type) {
    case 'sequence':
      return sequence(...parts);
    case 'parallel':
      return parallel(...parts);
    case 'per-host':
      return perHost(...parts);
    case 'milestone':
      return perHost(...parts.map((each, at) => (at % 2 === 1 ? milestone(where, each) : each)));
    case 'cleanup': {
      const [cleanup, ...others] = parts.toReversed();
      return others.length === 0 ? cleanup! : withCleanup(perHost(...others.toReversed()), cleanup!);
    }
  }
}

/** The ids of all nodes that come before each node. */
export function ancestors({ vertices }: ExecutionGraph): Map<string, Set<string>> {
  const sets: Set<string>[] = [];
  for (const vertex of vertices)
    sets.push(new Set(dependenciesOf(vertex).flatMap((at) => [...sets[at]!, ...own(vertices[at]!)])));
  return new Map(vertices.flatMap((vertex, at) => (vertex.type === 'node' ? [[vertex.id, sets[at]!]] : [])));
}

const own = (vertex: Vertex) => (vertex.type === 'node' ? [vertex.id] : []);
