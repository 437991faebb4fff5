import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openJournal, type Journal } from '../../../src/engine/journal/journal.ts';
import { readJournal } from '../../../src/engine/journal/read-journal.ts';
import { applyRecord, newRunState } from '../../../src/engine/journal/run-state.ts';
import { chain } from '../../../src/plan/fragment.ts';
import type { ExecutionGraph } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import type { EngineOptions } from '../../../src/engine/execute.ts';
import { fakeHost } from '../../fake/fake-host.ts';
import type { GenericStep } from '../../../src/step/contract/part.ts';
import { fakeFile, fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld, type FakeWorld } from '../../fake/fake-world.ts';
import { graphs, HOSTS } from './plans.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-crash-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `journal-${++files}.jsonl`);

it('resumes any plan after a crash at any record, with the same result and no repeated changes', () =>
  fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const complete = await runUntil(graph, newPath(), Infinity, fakeWorld(HOSTS));
      // Large plans are sampled: crashing at every record of a small plan covers more cases.
      for (let crash = 1; crash <= complete.records; crash += Math.ceil(complete.records / 60)) {
        const path = newPath();
        const world = fakeWorld(HOSTS);
        await runUntil(graph, path, crash, world);
        const after = sameHosts(world);
        const result = await resume(graph, path, after);
        expect(result).toMatchObject({ outcome: 'done', exit: 0 });
        expect(contents(after)).toEqual(contents(complete.world));
        const effects = HOSTS.map((name) => [...world.fake(name).changes, ...after.fake(name).changes].sort());
        expect(effects).toEqual(HOSTS.map((name) => [...complete.world.fake(name).changes].sort()));
      }
    }),
    { numRuns: 12 },
  ));

it('restores the original state when a resumed run fails', async () => {
  const steps = [fakeStep('s.0', {}, 2), fakeStep('s.1', {}, 2)];
  for (let crash = 1; crash <= 6; crash++) {
    const path = newPath();
    const world = fakeWorld(['a']);
    world.fake('a').files.set('/s.0', 'mine').set('/s.1', 'mine, too');
    const graph = toGraph('p', chain(world.hosts, steps));
    await runUntil(graph, path, crash, world);
    const after = sameHosts(world, ['a']);
    after.fake('a').fault(/cat > \/s.1.1$/, { exit: 1, times: 1 });
    expect(await resume(graph, path, after)).toMatchObject({ outcome: 'failed', rollback: { notUndone: [] } });
    expect(after.fake('a').content()).toEqual(['/s.0: mine', '/s.1: mine, too']);
  }
});

it('restores the original state, not the partial state left by a killed step', async () => {
  const path = newPath();
  const world = fakeWorld(['a']);
  world.fake('a').files.set('/s.0', 'mine');
  const file = fakeFile('/s.0', 's.0');
  let remembered = 0;
  const counted: GenericStep = {
    ...file,
    remember: async (ctx) => {
      remembered += 1;
      return (await ctx.runner.read('/s.0')) ?? null;
    },
  };
  const graph = toGraph('p', chain(world.hosts, [fakeStep('s.0', { parts: () => [counted] }), fakeStep('s.1')]));
  await runUntil(graph, path, 2, world);
  const after = sameHosts(world, ['a']);
  after.fake('a').files.set('/s.0', 'partial');
  after.fake('a').fault(/cat > \/s.1$/, { exit: 1, times: 1 });
  expect(await resume(graph, path, after)).toMatchObject({ outcome: 'failed', rollback: { notUndone: [] } });
  expect(after.fake('a').content()).toEqual(['/s.0: mine']);
  // Remembering again would overwrite the copy of the original state.
  expect(remembered).toBe(1);
});

it('writes the record of every change and rollback to disk before touching the host', async () => {
  const path = newPath();
  const world = fakeWorld(HOSTS);
  const onDisk = (type: string, step: string, host: string) =>
    readFileSync(path, 'utf8').includes(`"type":"${type}","node":"${step}@${host}"`);
  const seen: boolean[] = [];
  for (const name of HOSTS) {
    const fake = world.fake(name);
    const exec = fake.exec.bind(fake);
    const recording: typeof exec = (script, options) => {
      const [, verb, step = ''] = /^(cat >|rm -f) \/(s\.\d)/.exec(script) ?? [];
      seen.push(onDisk(verb === 'rm -f' ? 'undoing' : 'change', step, name));
      return exec(script, options);
    };
    Object.assign(fake, { exec: recording });
  }
  world.fake('b').fault(/cat > \/s.2/, { exit: 1 });
  await using journal = await openJournal({ path });
  await world.run(toGraph('p', chain(world.hosts, [fakeStep('s.0', {}, 2), fakeStep('s.1'), fakeStep('s.2')])), {
    journal,
  });
  expect(seen.length).toBeGreaterThan(12);
  expect(seen.every(Boolean)).toBe(true);
});

it('resumes after a crash during a rollback', async () => {
  const steps = [fakeStep('s.0'), fakeStep('s.1'), fakeStep('s.2')];
  for (let crash = 6; crash <= 10; crash++) {
    const path = newPath();
    const world = fakeWorld(['a']);
    const graph = toGraph('p', chain(world.hosts, steps));
    world.fake('a').fault(/cat > \/s.2$/, { exit: 1, times: 1 });
    await runUntil(graph, path, crash, world);
    const after = sameHosts(world, ['a']);
    expect(await resume(graph, path, after)).toMatchObject({ outcome: 'done' });
    expect([...after.fake('a').files.keys()].sort()).toEqual(['/s.0', '/s.1', '/s.2']);
  }
});

it('drops a truncated last line', async () => {
  const path = newPath();
  const graph = toGraph('p', chain(fakeWorld(['a']).hosts, [fakeStep('s.0'), fakeStep('s.1')]));
  await runUntil(graph, path, Infinity, fakeWorld(['a']));
  const text = readFileSync(path, 'utf8');
  truncateSync(path, text.length - 5);
  const { records } = await readJournal(path, () => {});
  expect(records).toBe(text.trimEnd().split('\n').length - 1);
  expect(await resume(graph, path, fakeWorld(['a']))).toMatchObject({ outcome: 'done' });
  expect((await readJournal(path, () => {})).bytes).toBe(readFileSync(path).length);
});

it('rejects a journal with a changed record before the last line', async () => {
  const path = newPath();
  const graph = toGraph('p', chain(fakeWorld(['a']).hosts, [fakeStep('s.0'), fakeStep('s.1')]));
  await runUntil(graph, path, Infinity, fakeWorld(['a']));
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const change = lines.findIndex((line) => line.includes('"type":"change"'));
  const damaged = lines.with(change, lines[change]!.replace('"s.0@a"', '"s.9@a"'));
  expect(damaged).not.toEqual(lines);
  writeFileSync(path, `${damaged.join('\n')}\n`);
  await expect(readJournal(path, () => {})).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
});

it('checks completed steps again on a host that rebooted', async () => {
  const path = newPath();
  const world = fakeWorld(['a', 'b']);
  const graph = toGraph('p', chain(world.hosts, [fakeStep('s.0'), fakeStep('s.1')]));
  await runUntil(graph, path, Infinity, world, { connect: async () => ({ bootId: () => 'first' }) });
  const after = sameHosts(world, ['a', 'b']);
  after.fake('a').files.delete('/s.0');
  after.fake('b').files.delete('/s.0');
  await resume(graph, path, after, {
    connect: async ({ name }) => ({ bootId: () => (name === 'a' ? 'second' : 'first') }),
  });
  expect(after.eventLines('done')).toEqual(['done s.0@a']);
});

/** Runs until this many records are on disk, then drops everything else, as a kill does. */
async function runUntil(
  graph: ExecutionGraph,
  path: string,
  records: number,
  world: FakeWorld,
  options: Partial<EngineOptions> = {},
) {
  await using real = await openJournal({ path });
  let count = 0;
  let dead = false;
  const never = new Promise<never>(() => {});
  let kill = () => {};
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const journal: Journal = {
    append: (record) => {
      if (count >= records) return;
      count += 1;
      real.append(record);
      if (count < records) return;
      dead = true;
      void real.saved().then(() => kill());
    },
    saved: () => (dead ? never : real.saved().then(() => (dead ? never : undefined))),
    broken: undefined,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  for (const { name } of world.hosts) {
    const fake = world.fake(name);
    const exec = fake.exec.bind(fake);
    // A command sent after the kill never arrives.
    Object.assign(fake, { exec: (...args: Parameters<typeof exec>) => (dead ? never : exec(...args)) });
  }
  await Promise.race([killed, world.run(graph, { journal, ...options })]);
  return { records: count, world };
}

/** The same hosts, as seen by the next process. */
const sameHosts = (world: FakeWorld, names: readonly string[] = HOSTS) =>
  fakeWorld(
    names,
    names.map((name) => fakeHost(name, world.fake(name).files)),
  );

async function resume(graph: ExecutionGraph, path: string, world: FakeWorld, options: Partial<EngineOptions> = {}) {
  const state = newRunState();
  const end = await readJournal(path, (record) => applyRecord(state, record));
  await using journal = await openJournal({ path, ...end });
  return await world.run(graph, { journal, state, ...options });
}

const contents = (world: FakeWorld) => HOSTS.map((name) => world.fake(name).content());
