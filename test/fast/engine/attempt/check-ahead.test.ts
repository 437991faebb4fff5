import { expect, it } from 'vitest';
import { cacheKey } from '../../../../src/cache/cache.ts';
import { fail } from '../../../../src/common/errors/errors.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/graph.ts';
import { defineStep, type Step } from '../../../../src/step/contract/step.ts';
import { fakeFile, fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';

const steps = (count: number, files = 1) => Array.from({ length: count }, (_, at) => fakeStep(`s.${at}`, {}, files));

/** A host where all of these steps are done, and how many round trips a run costs there. */
async function counted(all: readonly Step[], without: readonly string[] = []) {
  const world = fakeWorld(['a']);
  const fake = world.fake('a');
  const graph = toGraph('p', chain(world.hosts, all));
  await world.run(graph);
  for (const path of without) fake.files.delete(path);
  const before = fake.roundTrips;
  const result = await world.run(graph);
  return { world, result, roundTrips: fake.roundTrips - before };
}

it('costs a few round trips for a chain with nothing to do', async () => {
  expect(await counted(steps(1, 5))).toMatchObject({ roundTrips: 1 });
  expect(await counted(steps(20))).toMatchObject({ roundTrips: 4, result: { counts: { skipped: 20 } } });
  expect(await counted(steps(300))).toMatchObject({ roundTrips: 9, result: { counts: { skipped: 300 } } });
});

it('costs no more round trips than turn by turn when everything changes', async () => {
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', chain(world.hosts, steps(10))));
  // Look, remember, write and look again: for each.
  expect(world.fake('a').roundTrips).toBe(40);
});

it('looks again at what comes after a change', async () => {
  const seen: string[] = [];
  const stale = defineStep({
    name: 's.stale',
    summary: 's',
    parts: () => [
      {
        ...fakeFile('/stale', 'x'),
        precheck: async (ctx) => {
          const first = await ctx.runner.read('/s.5');
          seen.push(first ?? 'nothing');
          return { done: true };
        },
      },
    ],
  });
  const all = [...steps(6), stale, ...steps(20).slice(6)];
  const { result, roundTrips } = await counted(all, ['/s.5']);
  expect(result.counts).toMatchObject({ done: 1, skipped: 20 });
  expect(seen.at(-1)).toBe('s.5');
  // 2 and 4 together, then remember, write, look; then 1, 2, 4, 8.
  expect(roundTrips).toBe(2 + 3 + 4);
});

it('does not tell an error of a look that was not its turn', async () => {
  const needsFirst = defineStep({
    name: 's.second',
    summary: 's',
    parts: () => [
      {
        ...fakeFile('/second', 'x'),
        precheck: async (ctx) => {
          if ((await ctx.runner.read('/s.0')) === undefined)
            throw fail('COMMAND_FAILED', { host: 'a', command: 'etcdctl', exit: 127, output: 'not found' });
          return fakeFile('/second', 'x').precheck(ctx);
        },
      },
    ],
  });
  const world = fakeWorld(['a']);
  const graph = toGraph('p', chain(world.hosts, [fakeStep('s.0'), needsFirst]));
  expect(await world.run(graph)).toMatchObject({ outcome: 'done', counts: { done: 2 } });
});

it('does not look at a step before it has what it needs', async () => {
  const token = cacheKey<string>('token');
  const give = defineStep({
    name: 's.give',
    summary: 's',
    provides: [token],
    parts: () => [
      {
        key: 'command:give',
        summary: 'give',
        precheck: async () => ({ done: true }),
        run: async ({ cache }) => cache.set(token, 'abc'),
      },
    ],
  });
  const seen: (string | undefined)[] = [];
  const use = defineStep({
    name: 's.use',
    summary: 's',
    needs: [token],
    parts: () => [
      {
        key: 'command:use',
        summary: 'use',
        precheck: async ({ cache }) => {
          seen.push(cache.get(token));
          return { done: true };
        },
        run: async () => {},
      },
    ],
  });
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', chain(world.hosts, [give, use])));
  expect(seen).toEqual(['abc']);
});

it('looks again at a step that is tried again after it changed something', async () => {
  const world = fakeWorld(['a']);
  const effects: string[] = [];
  let lost = false;
  const part = (path: string, breaks: boolean) => ({
    ...fakeFile(path, 'x'),
    run: async (ctx: Parameters<ReturnType<typeof fakeFile>['run']>[0]) => {
      if (breaks && !lost) {
        lost = true;
        throw fail('CONNECTION_LOST', { host: 'a', doing: 'a command', reason: 'it dropped' });
      }
      effects.push(path);
      await fakeFile(path, 'x').run(ctx);
    },
  });
  const twoParts = defineStep({
    name: 's.two',
    summary: 's',
    parts: () => [part('/two.first', false), part('/two.second', true)],
  });
  const fine = steps(6);
  await world.run(toGraph('p', chain(world.hosts, fine)));
  const result = await world.run(toGraph('p', chain(world.hosts, [...fine.slice(0, 4), twoParts, ...fine.slice(4)])));
  expect(result.outcome).toBe('done');
  expect(effects).toEqual(['/two.first', '/two.second']);
});
