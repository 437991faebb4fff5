import { describe, expect, it } from 'vitest';
import { fail } from '../../../src/common/errors/errors.ts';
import type { JournalRecord } from '../../../src/engine/journal/record.ts';
import { applyRecord, newRunState } from '../../../src/engine/journal/run-state.ts';
import { createStop } from '../../../src/engine/stop.ts';
import { chain, sequence } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { defineStep } from '../../../src/step/contract/step.ts';
import { fakeFile, fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld, noJournal } from '../../fake/fake-world.ts';

const unreachable = () =>
  fail('HOST_UNREACHABLE', { host: 'a', address: '10.0.0.1:22', seconds: 1, reason: 'no route' });

function memoryJournal() {
  const records: JournalRecord[] = [];
  return { records, journal: { ...noJournal(), append: (record: JournalRecord) => void records.push(record) } };
}

describe('connecting to hosts', () => {
  const steps = [fakeStep('x.0'), fakeStep('x.1')];

  it('happens once per host, and an unreachable host does not delay the others', async () => {
    const world = fakeWorld(['a', 'b', 'c']);
    const connected: string[] = [];
    const lastDone = world.event('done x.1@c');
    const connect = async ({ name }: { readonly name: string }) => {
      connected.push(name);
      if (name !== 'a') return { bootId: () => `boot-${name}` };
      await lastDone;
      throw unreachable();
    };
    const { records, journal } = memoryJournal();
    const result = await world.run(toGraph('p', chain(world.hosts, steps)), { connect, journal });
    expect(result).toMatchObject({ outcome: 'partial', exit: 3, counts: { done: 4, quarantined: 2 } });
    expect(connected).toEqual(['a', 'b', 'c']);
    expect(records.filter(({ type }) => type === 'host')).toEqual([
      { type: 'host', host: 'b', boot: 'boot-b' },
      { type: 'host', host: 'c', boot: 'boot-c' },
    ]);
    const lines = world.eventLines();
    expect(lines.indexOf('done x.1@c')).toBeLessThan(lines.indexOf('quarantined x.0@a'));
  });

  it('precedes skipping steps that an earlier run completed', async () => {
    const world = fakeWorld(['a']);
    const state = newRunState();
    const graph = toGraph('p', chain(world.hosts, steps));
    await world.run(graph, { state, connect: async () => ({ bootId: () => 'first' }) });
    expect(await world.run(graph, { state, connect: () => Promise.reject(unreachable()) })).toMatchObject({ exit: 11 });
    await world.run(graph, { state, connect: async () => ({ bootId: () => 'first' }) });
    expect(world.eventLines('skipped')).toEqual(['skipped x.0@a', 'skipped x.1@a']);
  });

  it('waits for processes of an earlier run, reports that, and quarantines a host where they do not end', async () => {
    const world = fakeWorld(['a', 'b']);
    const connect = async ({ name }: { readonly name: string }) => ({
      bootId: () => 'first',
      idle: async (_signal: AbortSignal, say: (line: string) => void) => {
        say('waiting');
        if (name === 'a') throw fail('EARLIER_STILL_RUNS', { host: 'a', pid: '7', minutes: 30 });
      },
    });
    const result = await world.run(toGraph('p', chain(world.hosts, steps)), { connect });
    expect(result).toMatchObject({ outcome: 'partial', exit: 3, counts: { done: 2, quarantined: 2 } });
    expect(world.eventLines('said')).toHaveLength(2);
  });

  it('is aborted by the first interrupt', async () => {
    const world = fakeWorld(['a']);
    const stop = createStop();
    const idle = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        stop.request();
      });
    const connect = async () => ({ bootId: () => 'first', idle });
    expect(await world.run(toGraph('p', chain(world.hosts, steps)), { connect, stop })).toMatchObject({
      outcome: 'interrupted',
      counts: { done: 0 },
    });
  });

  it('invalidates completed steps after a reboot, also for later runs', () => {
    const state = newRunState();
    const apply = (...records: readonly JournalRecord[]) => records.forEach((record) => applyRecord(state, record));
    apply({ type: 'host', host: 'a', boot: '1' }, { type: 'host', host: 'ba', boot: '1' });
    apply(
      { type: 'done', node: 'x@a', ms: 1 },
      { type: 'skipped', node: 'y@a' },
      { type: 'done', node: 'x@ba', ms: 1 },
    );
    apply({ type: 'host', host: 'a', boot: '2' }, { type: 'skipped', node: 'x@a' });
    expect([...state.nodes].map(([id, { status }]) => `${id} ${status}`)).toEqual([
      'x@a skipped',
      'y@a flight',
      'x@ba done',
    ]);
  });

  it('invalidates completed steps if the cluster file changed or its digest is not recorded', () => {
    const state = newRunState();
    const apply = (...records: readonly JournalRecord[]) => records.forEach((record) => applyRecord(state, record));
    const statuses = () => [...state.nodes.values()].map(({ status }) => status);
    apply({ type: 'done', node: 'x@a', ms: 1 }, { type: 'source', digest: 'one' });
    expect(statuses()).toEqual(['flight']);
    apply({ type: 'done', node: 'x@a', ms: 1 }, { type: 'skipped', node: 'x@b' }, { type: 'source', digest: 'one' });
    expect(statuses()).toEqual(['done', 'skipped']);
    apply({ type: 'source', digest: 'two' });
    expect(statuses()).toEqual(['flight', 'flight']);
  });
});

describe('a host that reboots during a run', () => {
  /** The host reboots this many times during step x.interrupted, and loses the files in /run. */
  function rebooting(times: number) {
    const world = fakeWorld(['a', 'b']);
    const fake = world.fake('a');
    let boot = 1;
    const reboot = () => {
      boot += 1;
      fake.files.delete('/run/live');
      throw fail('COMMAND_LOST', { host: 'a', reason: 'the host rebooted' });
    };
    const live = defineStep({ name: 'x.live', summary: 'x', parts: () => [fakeFile('/run/live', 'x')] });
    const interrupted = defineStep({
      name: 'x.interrupted',
      summary: 'x',
      parts: () => [
        {
          ...fakeFile('/etc/interrupted', 'x'),
          run: async (ctx) =>
            ctx.host.name === 'a' && boot <= times ? reboot() : fakeFile('/etc/interrupted', 'x').run(ctx),
        },
      ],
    });
    const graph = toGraph(
      'p',
      sequence(chain(world.hosts, [live, fakeStep('x.kept'), interrupted, fakeStep('x.last')])),
    );
    const connect = async ({ name }: { readonly name: string }) => ({ bootId: () => (name === 'a' ? `${boot}` : 'b') });
    return { world, fake, graph, connect };
  }

  it('is checked again: lost steps are redone in order, then the interrupted step', async () => {
    const { world, fake, graph, connect } = rebooting(1);
    const { records, journal } = memoryJournal();
    expect(await world.run(graph, { connect, journal })).toMatchObject({ outcome: 'done', counts: { done: 8 } });
    expect(fake.changes).toEqual([
      'cat > /run/live',
      'cat > /x.kept',
      'cat > /run/live',
      'cat > /etc/interrupted',
      'cat > /x.last',
    ]);
    const typesOnA = records.filter((record) => 'node' in record && record.node.endsWith('@a')).map(({ type }) => type);
    expect(typesOnA).toEqual(
      ['change', 'done', 'change', 'done', 'change'].concat([
        'change',
        'done',
        'skipped',
        'change',
        'done',
        'change',
        'done',
      ]),
    );
    const said = world.events.flatMap((event) => (event.type === 'said' ? [event.line] : []));
    expect(said).toEqual(['x.live was lost in the reboot and was done again']);
    expect(world.eventLines('restarted')).toEqual(['restarted x.interrupted@a']);
    expect(world.eventLines('done').filter((line) => line.endsWith('@a'))).toHaveLength(4);
  });

  it('is rolled back to its state before the first attempt', async () => {
    const { world, fake, graph, connect } = rebooting(1);
    fake.files.set('/run/live', 'mine');
    fake.fault(/cat > \/x.last/, { exit: 1 });
    await world.run(graph, { connect });
    expect(fake.content()).toEqual(['/run/live: mine']);
  });

  it('is awaited, and quarantined if it does not come back', async () => {
    const { world, fake, graph, connect } = rebooting(0);
    const pauses: number[] = [];
    const pause = async (ms: number) => void (pauses.push(ms) === 3 && fake.clearFaults());
    fake.fault(/cat > \/x.kept/, { error: unreachable() });
    expect(await world.run(graph, { connect, pause })).toMatchObject({ outcome: 'done' });
    expect(pauses).toEqual([1000, 2000, 4000]);
    fake.files.clear();
    fake.fault(/cat > \/x.kept/, { error: unreachable() });
    expect(await world.run(graph, { connect })).toMatchObject({ outcome: 'partial', exit: 3 });
    expect(world.eventLines('retried').length).toBeLessThan(10);
  });

  it('fails the step if it keeps rebooting', async () => {
    const { world, graph, connect } = rebooting(9);
    const { failures } = await world.run(graph, { connect, rollback: false });
    expect(failures[0]?.error).toMatchObject({ code: 'COMMAND_LOST' });
  });

  it('is not checked again if the user interrupts the run', async () => {
    const { world, fake, graph, connect } = rebooting(1);
    const stop = createStop();
    const report = (event: { readonly type: string }) => void (event.type === 'restarted' && stop.request());
    expect(await world.run(graph, { connect, stop, report })).toMatchObject({ outcome: 'interrupted' });
    expect(fake.files.has('/run/live')).toBe(false);
  });
});
