import { expect, it } from 'vitest';
import { cacheKey } from '../../../../src/cache/cache.ts';
import { fail } from '../../../../src/common/errors/errors.ts';
import { chain, sequence } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import { defineStep, type Step } from '../../../../src/step/contract/step.ts';
import { fakeFile, fakeStep } from '../../../fake/fake-step.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';

const steps = (count: number, files = 1) => Array.from({ length: count }, (_, at) => fakeStep(`s.${at}`, {}, files));

/** Runs all steps, deletes some files, and counts the round trips of a second run. */
async function countRoundTrips(all: readonly Step[], deleted: readonly string[] = []) {
  const world = fakeWorld(['a']);
  const fake = world.fake('a');
  const graph = toGraph('p', chain(world.hosts, all));
  await world.run(graph);
  for (const path of deleted) fake.files.delete(path);
  const before = fake.roundTrips;
  const result = await world.run(graph);
  return { world, result, roundTrips: fake.roundTrips - before };
}

it('needs few round trips for a chain that is up to date', async () => {
  expect(await countRoundTrips(steps(1, 5))).toMatchObject({ roundTrips: 1 });
  expect(await countRoundTrips(steps(20))).toMatchObject({ roundTrips: 2, result: { counts: { skipped: 20 } } });
  expect(await countRoundTrips(steps(300))).toMatchObject({ roundTrips: 3, result: { counts: { skipped: 300 } } });
});

it('needs no more round trips than checking one step at a time if all steps change something', async () => {
  const world = fakeWorld(['a']);
  await world.run(toGraph('p', chain(world.hosts, steps(10))));
  // For each step: precheck, remember, write, precheck again.
  expect(world.fake('a').roundTrips).toBe(40);
});

it('checks later steps again after a change', async () => {
  const seen: string[] = [];
  const stale = defineStep({
    name: 's.stale',
    summary: 's',
    parts: () => [
      {
        ...fakeFile('/stale', 'x'),
        precheck: async (ctx) => {
          const first = await ctx.runner.read('/s.5');
          seen.push(first ?? 'missing');
          return { done: true };
        },
      },
    ],
  });
  const all = [...steps(6), stale, ...steps(20).slice(6)];
  const { result, roundTrips } = await countRoundTrips(all, ['/s.5']);
  expect(result.counts).toMatchObject({ done: 1, skipped: 20 });
  expect(seen.at(-1)).toBe('s.5');
  // A batch of 8; then remember, write, precheck; then batches of 1, 8 and 64.
  expect(roundTrips).toBe(1 + 3 + 3);
});

it('needs few round trips for many tasks that are up to date, although hosts wait for each other between them', async () => {
  const world = fakeWorld(['a', 'b']);
  const tasks = steps(30).map((step) => chain(world.hosts, [step]));
  const graph = toGraph('p', sequence(...tasks));
  await world.run(graph);
  const before = world.fake('a').roundTrips;
  expect(await world.run(graph)).toMatchObject({ counts: { skipped: 60 } });
  // Batches of 8 and 22.
  expect(world.fake('a').roundTrips - before).toBe(2);
});

it('checks a step again if another host changed after it was checked ahead of its turn', async () => {
  const world = fakeWorld(['a', 'b']);
  const [a, b] = world.hosts;
  const seen: string[] = [];
  const readsOther = defineStep({
    name: 's.reads-other',
    summary: 's',
    parts: () => [
      {
        ...fakeFile('/reads-other', 'x'),
        precheck: async (ctx) => {
          seen.push((await ctx.on(b!).read('/s.change')) ?? 'missing');
          return { done: true };
        },
      },
    ],
  });
  const graph = toGraph(
    'p',
    sequence(chain(a!, [fakeStep('s.first')]), chain(b!, [fakeStep('s.change')]), chain(a!, [readsOther])),
  );
  await world.run(graph);
  world.fake('b').files.delete('/s.change');
  seen.length = 0;
  await world.run(graph);
  expect(seen).toEqual(['missing', 's.change']);
});

it('ignores errors of a precheck that ran ahead of its turn', async () => {
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

it('does not check a step ahead before the values it needs are available', async () => {
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

it('checks a retried step again if its first attempt changed something', async () => {
  const world = fakeWorld(['a']);
  const effects: string[] = [];
  let lost = false;
  const part = (path: string, losesConnection: boolean) => ({
    ...fakeFile(path, 'x'),
    run: async (ctx: Parameters<ReturnType<typeof fakeFile>['run']>[0]) => {
      if (losesConnection && !lost) {
        lost = true;
        throw fail('CONNECTION_LOST', { host: 'a', doing: 'a command', reason: 'connection reset' });
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
  const upToDate = steps(6);
  await world.run(toGraph('p', chain(world.hosts, upToDate)));
  const result = await world.run(
    toGraph('p', chain(world.hosts, [...upToDate.slice(0, 4), twoParts, ...upToDate.slice(4)])),
  );
  expect(result.outcome).toBe('done');
  expect(effects).toEqual(['/two.first', '/two.second']);
});
