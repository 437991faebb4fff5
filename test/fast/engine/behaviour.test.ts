import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { cacheKey } from '../../../src/cache/cache.ts';
import { fail, type KubexmError } from '../../../src/common/errors/errors.ts';
import { openJournal, type Journal } from '../../../src/engine/journal/journal.ts';
import { preview } from '../../../src/engine/preview.ts';
import { resumeJournal } from '../../../src/engine/journal/resume.ts';
import { createStop } from '../../../src/engine/stop.ts';
import { chain, on, parallel, scope, sequence } from '../../../src/plan/fragment.ts';
import { nodesOf } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import type { GenericStep, StepContext } from '../../../src/step/contract/part.ts';
import { defineStep } from '../../../src/step/contract/step.ts';
import { fakeFile, fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld, noJournal } from '../../fake/fake-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-behaviour-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An error with the exit code of an unreachable host. */
const unreachable = (): KubexmError =>
  Object.assign(fail('COMMAND_FAILED', { command: 'ssh', exit: 255, output: 'no route' }), { exit: 11 });

const hang: GenericStep = {
  key: 'command:hang',
  summary: 'hang',
  precheck: async () => ({ done: false, because: 'never converges' }),
  run: ({ signal }) => sleep(60_000, undefined, { signal }),
  rollback: async () => {},
};

describe('a failure', () => {
  it('stops its task, blocks dependent tasks, and lets independent tasks continue', async () => {
    const world = fakeWorld(['a', 'b']);
    world.fake('b').fault(/cat > \/x.1$/, { exit: 1 });
    const graph = toGraph(
      'p',
      parallel(
        sequence(
          scope('m', scope('bad', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1'), fakeStep('x.2')]))),
          scope('m', scope('later', chain(world.hosts, [fakeStep('y.0')]))),
        ),
        scope('m', scope('other', chain(world.hosts, [fakeStep('z.0'), fakeStep('z.1')]))),
      ),
    );
    const { outcome, exit, counts, failures, rollback } = await world.run(graph);
    expect({ outcome, exit, failed: counts.failed, causes: failures.length }).toEqual({
      outcome: 'failed',
      exit: 12,
      failed: 1,
      causes: 1,
    });
    for (const name of ['a', 'b']) expect([...world.fake(name).files.keys()].sort()).toEqual(['/z.0', '/z.1']);
    expect(rollback.notStarted).toEqual(expect.arrayContaining(['m/later/y.0@a', 'm/later/y.0@b', 'm/bad/x.2@b']));
    expect(rollback.resumeCommand).toContain('--resume');
  });

  it('is not rolled back once another operator has taken the lock', async () => {
    const world = fakeWorld(['a', 'b']);
    const failed = world.event('failed x.1@a');
    world.fake('a').fault(/cat > \/x.1$/, { exit: 1 });
    world.fake('b').fault(/cat > \/x.1$/, {
      waitFor: failed,
      error: fail('LOCK_LOST', { cluster: 'p', owner: 'ada@desk', where: 'b' }),
    });
    const graph = toGraph('p', scope('m', scope('t', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]))));
    const { exit, error, rollback } = await world.run(graph);
    expect({ exit, error, undone: rollback.undone }).toMatchObject({
      exit: 15,
      error: { code: 'LOCK_LOST' },
      undone: [],
    });
    for (const name of ['a', 'b']) expect([...world.fake(name).files.keys()]).toEqual(['/x.0']);
  });

  it('is not rolled back with --no-rollback', async () => {
    const world = fakeWorld(['a']);
    world.fake('a').fault(/cat > \/x.1$/, { exit: 1 });
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]));
    const { rollback } = await world.run(graph, { rollback: false });
    expect([...world.fake('a').files.keys()]).toEqual(['/x.0']);
    expect(rollback.notUndone.map(({ node }) => node)).toEqual(['x.0@a', 'x.1@a']);
  });

  it('does not roll back steps that a later task depends on', async () => {
    const world = fakeWorld(['a', 'b']);
    world.fake('b').fault(/cat >/, { exit: 1, waitFor: world.event('done y.0@a') });
    const lane = (name: string) => {
      const host = world.hosts.find((each) => each.name === name)!;
      return sequence(scope('first', on(host, fakeStep('x.0'))), scope('second', on(host, fakeStep('y.0'))));
    };
    const { rollback } = await world.run(toGraph('p', parallel(lane('a'), lane('b'))));
    expect(rollback.notUndone).toEqual([{ node: 'first/x.0@a', reason: 'a later task depends on it' }]);
    expect(world.eventLines('rollback-failed')).toEqual(['rollback-failed x.0@a']);
    expect([...world.fake('a').files.keys()]).toEqual(['/x.0', '/y.0']);
  });

  it('reports steps that cannot be rolled back, and rolls back the others', async () => {
    const world = fakeWorld(['a']);
    const file = fakeFile('/one-way', 'x');
    const oneWay: GenericStep = {
      key: file.key,
      summary: file.summary,
      precheck: (ctx) => file.precheck(ctx),
      run: (ctx) => file.run(ctx),
    };
    const steps = [
      fakeStep('x.0'),
      defineStep({ name: 'x.1', summary: 'x', parts: () => [oneWay] }),
      fakeStep('x.2'),
      fakeStep('x.3'),
    ];
    world.fake('a').fault(/cat > \/x.3$/, { exit: 1 });
    world.fake('a').fault(/rm -f \/x.2$/, { exit: 1 });
    const { rollback } = await world.run(toGraph('p', chain(world.hosts, steps)));
    expect(rollback.undone).toEqual(['x.3@a', 'x.0@a']);
    expect(rollback.notUndone.map(({ node }) => node)).toEqual(['x.2@a', 'x.1@a']);
    expect(rollback.notUndone[1]?.reason).toBe('write /one-way cannot be undone');
    expect(world.eventLines('rollback-failed')).toEqual(['rollback-failed x.2@a', 'rollback-failed x.1@a']);
  });

  it('reports why a step did not converge', async () => {
    const world = fakeWorld(['a']);
    const step = defineStep({
      name: 'x.0',
      summary: 'x',
      parts: () => [{ ...fakeFile('/x', 'x'), run: async () => {} }],
    });
    const { failures } = await world.run(toGraph('p', chain(world.hosts, [step])));
    expect(failures[0]?.error).toMatchObject({
      code: 'STEP_NOT_CONVERGED',
      message: expect.stringContaining('/x does not exist'),
    });
  });
});

describe('timeouts and retries', () => {
  it('abort a step at its timeout, and roll it back with a separate timeout', async () => {
    const world = fakeWorld(['local']);
    let undone: AbortSignal | undefined;
    const part = { ...hang, rollback: async ({ signal }: { signal: AbortSignal }) => void (undone = signal) };
    const step = defineStep({ name: 'x.0', summary: 'x', timeoutMs: 20, parts: () => [part] });
    const { failures } = await world.run(toGraph('p', scope('t', chain(world.hosts, [step]))));
    expect(failures[0]?.error).toMatchObject({ code: 'STEP_TIMED_OUT' });
    expect(undone?.aborted).toBe(false);
  });

  it('abandon a step that ignores its abort signal', async () => {
    const world = fakeWorld(['a']);
    const part = { ...hang, run: () => new Promise<void>(() => {}) };
    const step = defineStep({ name: 'x.0', summary: 'x', timeoutMs: 10, parts: () => [part] });
    const { exit } = await world.run(toGraph('p', chain(world.hosts, [step])));
    expect(exit).toBe(12);
  });

  it('end as interrupted without a rollback if the run is stopped before a retry', async () => {
    const world = fakeWorld(['a']);
    world.fake('a').fault(/cat >/, { exit: 1, times: 9 });
    const stop = createStop();
    const pause = async () => stop.request();
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0', { retries: 3 })]));
    expect(await world.run(graph, { pause, stop })).toMatchObject({ outcome: 'interrupted', exit: 130, failures: [] });
    expect(world.eventLines('rolled-back', 'failed')).toEqual([]);
  });

  it('end at the first interrupt if they stop at once, and are not rolled back', async () => {
    const world = fakeWorld(['a']);
    const stop = createStop();
    const run: GenericStep['run'] = (ctx) => (setImmediate(() => stop.request()), hang.run(ctx));
    const waiting = defineStep({ name: 'x.0', summary: 'wait', stopsAtOnce: true, parts: () => [{ ...hang, run }] });
    const result = await world.run(toGraph('p', chain(world.hosts, [waiting])), { stop });
    expect(result).toMatchObject({ outcome: 'interrupted', exit: 130, failures: [] });
    expect(world.eventLines('rolled-back', 'failed')).toEqual([]);
  });

  it('retry only steps that declare retries, and only errors that may be transient', async () => {
    const world = fakeWorld(['a']);
    world.fake('a').fault(/cat >/, { exit: 1, times: 2 });
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0', { retries: 3 })]));
    expect(await world.run(graph, { pause })).toMatchObject({ outcome: 'done' });
    expect(pauses).toEqual([1000, 2000]);
    world.fake('a').files.clear();
    world.fake('a').fault(/cat >/, { exit: 1, times: 1 });
    expect(await world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0')])))).toMatchObject({ outcome: 'failed' });
    world.fake('a').fault(/cat >/, { error: unreachable(), times: 1 });
    await world.run(graph);
    expect(world.eventLines('retried')).toEqual([]);
  });
});

describe('cache values', () => {
  const token = cacheKey<string>('token');
  const provide = (parts: readonly GenericStep[] = []) =>
    defineStep({
      name: 'x.token',
      summary: 'x',
      provides: [token],
      parts: () => [
        ...parts,
        {
          key: 'command:read-token',
          summary: 'read the token',
          precheck: async () => ({ done: true }),
          run: async ({ cache }) => cache.set(token, 'abc'),
        },
      ],
    });
  const use = fakeStep('x.use', { needs: [token] });

  it('are provided again by a step that is already done', async () => {
    const world = fakeWorld(['a']);
    const graph = toGraph('p', chain(world.hosts, [provide(), use]));
    expect(await world.run(graph)).toMatchObject({ outcome: 'done' });
    expect(world.eventLines('done')).toEqual(['done x.token@a', 'done x.use@a']);
  });

  it('are reported as missing if the providing host is quarantined', async () => {
    const world = fakeWorld(['a', 'b']);
    const [a, b] = world.hosts;
    world.fake('a').fault(/cat/, { error: unreachable() });
    const graph = toGraph('p', sequence(on(a!, provide([fakeFile('/x', 'x')])), on(b!, use)));
    const { failures } = await world.run(graph);
    expect(failures[0]?.error).toMatchObject({ code: 'STEP_VALUE_MISSING' });
  });
});

describe('an unreachable host', () => {
  const steps = [fakeStep('x.0'), fakeStep('x.1')];
  const plan = (world: ReturnType<typeof fakeWorld>) =>
    toGraph('p', sequence(scope('t', chain(world.hosts, steps)), scope('u', chain(world.hosts, [fakeStep('y.0')]))));

  it('is quarantined while the others continue, and is included again on resume', async () => {
    const path = join(folder, 'quarantine.jsonl');
    const world = fakeWorld(['a', 'b', 'c']);
    world.fake('b').fault(/cat > \/x.1/, { error: unreachable() });
    await using journal = await openJournal({ path });
    const first = await world.run(plan(world), { journal });
    expect(first).toMatchObject({ outcome: 'partial', exit: 3, counts: { done: 7, quarantined: 2, failed: 0 } });
    expect(first.quarantined.map(({ host }) => host)).toEqual(['b']);
    world.fake('b').clearFaults();
    const resumed = await resumeJournal({ path });
    await using _ = resumed.journal;
    const second = await world.run(plan(world), resumed);
    expect(second).toMatchObject({ outcome: 'done', exit: 0 });
    expect(world.eventLines('done')).toEqual(['done x.1@b', 'done y.0@b']);
  });

  it('fails the run if it is the only host', async () => {
    const world = fakeWorld(['a']);
    world.fake('a').fault(/cat/, { error: unreachable() });
    expect(await world.run(plan(world))).toMatchObject({ outcome: 'failed', exit: 11 });
  });

  it('is quarantined like a host that spends its retry budget', async () => {
    const world = fakeWorld(['a', 'b']);
    world.fake('a').fault(/cat > \/x.1/, { exit: 1 });
    const retried = [fakeStep('x.0'), fakeStep('x.1', { retries: 9 })];
    const graph = toGraph('p', scope('t', chain(world.hosts, retried)));
    const result = await world.run(graph, { hostBudgetMs: 6000 });
    expect(result).toMatchObject({ outcome: 'partial', exit: 3, counts: { done: 3, quarantined: 1 } });
    expect(result.quarantined[0]).toMatchObject({ host: 'a', error: { code: 'HOST_BUDGET_SPENT' } });
    expect(world.eventLines('retried')).toHaveLength(2);
  });

  it('aborts the run only once the quarantine limit is exceeded', async () => {
    const unreachableHosts = async (...names: readonly string[]) => {
      const world = fakeWorld(['a', 'b', 'c']);
      for (const name of names) world.fake(name).fault(/cat/, { error: unreachable() });
      const { outcome, error } = await world.run(plan(world), { maxQuarantined: 1 });
      return { outcome, error, onC: [...world.fake('c').files.keys()].includes('/y.0') };
    };
    expect(await unreachableHosts('a')).toEqual({ outcome: 'partial', error: undefined, onC: true });
    expect(await unreachableHosts('a', 'b')).toMatchObject({
      outcome: 'failed',
      error: { code: 'TOO_MANY_SET_ASIDE' },
      onC: false,
    });
  });
});

it('allows many abort listeners without a warning', async () => {
  const world = fakeWorld(['a']);
  const stop = createStop();
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  const addListeners = (signal: AbortSignal) =>
    Array.from({ length: 20 }, () => signal.addEventListener('abort', () => {}));
  const precheck = async ({ signal }: StepContext) => {
    for (const each of [signal, stop.soft, stop.hard]) addListeners(each);
    return { done: true } as const;
  };
  process.on('warning', onWarning);
  const step = defineStep({ name: 'x.0', summary: 'x', parts: () => [{ ...hang, precheck }] });
  await world.run(toGraph('p', chain(world.hosts, [step])), { stop });
  await sleep(0);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

describe('an interrupt', () => {
  it('lets steps in flight finish and starts no others', async () => {
    const world = fakeWorld(['a', 'b']);
    const stop = createStop();
    const inFlight = Promise.all([world.event('started x.0@a'), world.event('started x.0@b')]);
    const stopped = inFlight.then(() => stop.request());
    for (const name of ['a', 'b']) world.fake(name).fault(/cat >/, { waitFor: stopped });
    const running = world.run(toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')])), { stop });
    expect(await running).toMatchObject({ outcome: 'interrupted', exit: 130, counts: { done: 2, blocked: 2 } });
    expect(world.eventLines('rolled-back')).toEqual([]);
  });

  it('aborts steps in flight when repeated, and the run can be resumed', async () => {
    const path = join(folder, 'twice.jsonl');
    const world = fakeWorld(['a']);
    const stop = createStop();
    let recovered = false;
    let onHang = () => {};
    const hangs = new Promise<void>((resolve) => (onHang = resolve));
    const part = {
      ...fakeFile('/x.1', 'x'),
      run: async (ctx: Parameters<GenericStep['run']>[0]) => {
        if (recovered) return fakeFile('/x.1', 'x').run(ctx);
        onHang();
        return hang.run(ctx);
      },
    };
    const graph = toGraph(
      'p',
      chain(world.hosts, [fakeStep('x.0'), defineStep({ name: 'x.1', summary: 'x', parts: () => [part] })]),
    );
    await using journal = await openJournal({ path });
    const running = world.run(graph, { stop, journal });
    await hangs;
    stop.request();
    stop.request();
    const result = await running;
    expect(result).toMatchObject({ outcome: 'interrupted', exit: 130, rollback: { inFlight: ['x.1@a'] } });
    recovered = true;
    const resumed = await resumeJournal({ path });
    await using _ = resumed.journal;
    expect(resumed.state.nodes.get('x.1@a')?.status).toBe('flight');
    expect(await world.run(graph, resumed)).toMatchObject({ outcome: 'done' });
    expect(world.eventLines('done')).toEqual(['done x.1@a']);
  });
});

it('starts no further steps if the journal cannot be written', async () => {
  const world = fakeWorld(['a', 'b']);
  const full = fail('JOURNAL_UNWRITABLE', { path: 'x', reason: 'no space left on device' });
  let broken: KubexmError | undefined;
  let count = 0;
  const journal: Journal = {
    ...noJournal(),
    append: ({ type }) => void (type === 'change' && ++count > 2 && (broken = full)),
    saved: () => (broken ? Promise.reject(broken) : Promise.resolve()),
    get broken() {
      return broken;
    },
  };
  const { outcome, error, exit } = await world.run(
    toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1'), fakeStep('x.2')])),
    { journal },
  );
  expect({ outcome, error, exit }).toEqual({ outcome: 'failed', error: full, exit: 12 });
  expect(['a', 'b'].flatMap((name) => [...world.fake(name).files.keys()])).toEqual(['/x.0', '/x.0']);
});

it('reports a full disk', async () => {
  const path = join(folder, 'full.jsonl');
  let full = false;
  const guard = () => {
    if (full) throw new Error('ENOSPC: no space left on device, write');
  };
  await using journal = await openJournal({ path, guard });
  journal.append({ type: 'skipped', node: 'x' });
  await journal.saved();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  full = true;
  journal.append({ type: 'skipped', node: 'y' });
  await expect(journal.saved()).rejects.toMatchObject({ code: 'JOURNAL_UNWRITABLE', exit: 12 });
  expect(journal.broken?.report.hint).toContain('--resume');
});

it('refuses to write the journal after the lock is lost', async () => {
  const world = fakeWorld(['a']);
  let held = true;
  const guard = () => {
    if (!held) throw fail('LOCK_LOST', { cluster: 'c', owner: 'ada@desk', where: 'a' });
  };
  await using journal = await openJournal({ path: join(folder, 'lost.jsonl'), guard });
  const losesLock = {
    ...fakeFile('/x', 'x'),
    run: async () => void (held = false),
    precheck: async () => ({ done: !held, because: '' }),
  };
  const steps = [defineStep({ name: 'x.0', summary: 'x', parts: () => [losesLock] }), fakeStep('x.1')];
  const { exit, error } = await world.run(toGraph('p', chain(world.hosts, steps)), { journal });
  expect({ exit, error }).toMatchObject({ exit: 15, error: { code: 'LOCK_LOST' } });
  expect(world.fake('a').files.has('/x.1')).toBe(false);
});

describe('a dry run', () => {
  it('shows pending changes and unreachable hosts, and changes nothing', async () => {
    const world = fakeWorld(['a', 'b']);
    world.fake('a').files.set('/x.0', 'old');
    world.fake('b').fault(/cat/, { error: unreachable() });
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]));
    const { nodes, unreachable: skipped } = await preview(graph, { contextFor: world.contextFor });
    expect(nodes.map(({ node, changes }) => [node.id, changes])).toEqual([
      ['x.0@a', [{ summary: 'write /x.0', because: '/x.0 differs', diff: '-old\n+x.0' }]],
      ['x.1@a', [{ summary: 'write /x.1', because: '/x.1 does not exist', diff: '-\n+x.1' }]],
    ]);
    expect(skipped.map(({ host }) => host)).toEqual(['b']);
    expect([...world.fake('a').files]).toEqual([['/x.0', 'old']]);
    expect(world.fake('a').changes).toEqual([]);
  });

  it('shows no changes after a run', async () => {
    const world = fakeWorld(['a', 'b']);
    const graph = toGraph('p', chain(world.hosts, [fakeStep('x.0'), fakeStep('x.1')]));
    await world.run(graph);
    const { nodes } = await preview(graph, { contextFor: world.contextFor });
    expect(nodes.length).toBe(nodesOf(graph).length);
    expect(nodes.every(({ changes, unknown }) => changes.length === 0 && unknown === undefined)).toBe(true);
  });
});
