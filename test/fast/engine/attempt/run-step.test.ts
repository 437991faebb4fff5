import { expect, it } from 'vitest';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import type { GenericStep } from '../../../../src/step/contract/part.ts';
import { runTogether } from '../../../../src/step/contract/run-together.ts';
import { defineStep } from '../../../../src/step/contract/step.ts';
import { ok } from '../../../fake/fake-host.ts';
import { fakeFile, fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';
import { withPartsTogether } from '../plans.ts';

/** Runs one step and returns the round trips and the lines of its events. */
async function runOne(step: ReturnType<typeof fakeStep>, world = fakeWorld(['a'])) {
  const before = world.fake('a').roundTrips;
  const result = await world.run(toGraph('p', chain(world.hosts, [step])));
  return { world, result, roundTrips: world.fake('a').roundTrips - before };
}

it('checks and remembers parts that run together in one round trip each', async () => {
  // For each part: remember, write, precheck; before that one precheck of all.
  expect(await runOne(fakeStep('s.x', {}, 4))).toMatchObject({ roundTrips: 1 + 4 * 3 });
  // precheck, remember, four writes, precheck.
  expect(await runOne(withPartsTogether(fakeStep('s.x', {}, 4)))).toMatchObject({ roundTrips: 1 + 1 + 4 + 1 });
});

it('runs only those parts of a group that are not up to date', async () => {
  const world = fakeWorld(['a']);
  const step = withPartsTogether(fakeStep('s.x', {}, 3));
  await runOne(step, world);
  world.fake('a').files.delete('/s.x.1');
  const changed = world.fake('a').changes.length;
  expect((await runOne(step, world)).result.counts).toMatchObject({ done: 1 });
  expect(world.fake('a').changes.slice(changed)).toEqual(['cat > /s.x.1']);
});

it('waits for the other parts of a group if one fails, and rolls all of them back', async () => {
  const world = fakeWorld(['a']);
  const fake = world.fake('a');
  fake.fault(/cat > \/s\.x$/, { exit: 1, times: 1 });
  fake.fault(/cat > \/s\.x\.1$/, { delayMs: 20, times: 1 });
  const { result } = await runOne(withPartsTogether(fakeStep('s.x', {}, 2)), world);
  expect(result).toMatchObject({ outcome: 'failed', rollback: { notUndone: [] } });
  expect([...fake.files]).toEqual([]);
});

it('reports each part of a group that did not reach its state', async () => {
  const idle: GenericStep = { ...fakeFile('/b', 'b'), together: 'files', run: () => Promise.resolve() };
  const step = defineStep({
    name: 's.x',
    summary: 's',
    parts: () => [{ ...fakeFile('/a', 'a'), together: 'files' }, idle],
  });
  const { result } = await runOne(step);
  expect(result.failures[0]?.error).toMatchObject({
    code: 'STEP_NOT_CONVERGED',
    message: expect.stringContaining('/b'),
  });
});

it('runs small commands of one tick in one round trip', async () => {
  const world = fakeWorld(['a']);
  const seen: string[] = [];
  world.fake('a').answer(/touch/, ({ input }) => (seen.push(input), ok()));
  const part = (path: string): GenericStep => ({
    key: `file:${path}`,
    summary: path,
    together: 'files',
    precheck: () => Promise.resolve(seen.length > 0 ? { done: true } : { done: false, because: 'missing' }),
    run: (ctx) => runTogether(ctx, { text: `touch ${path}`, display: `touch ${path}` }),
  });
  await runOne(defineStep({ name: 's.x', summary: 's', parts: () => [part('/a'), part('/b')] }), world);
  expect(seen).toEqual(['(\ntouch /a\n) || exit\n(\ntouch /b\n) || exit']);
});
