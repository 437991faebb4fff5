import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fail } from '../../../src/common/errors/errors.ts';
import type { Event } from '../../../src/engine/event/event.ts';
import { chain, parallel, sequence } from '../../../src/plan/fragment.ts';
import { nodesOf, dependenciesOf, type ExecutionGraph, type Vertex } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { defineStep } from '../../../src/step/contract/step.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld, type FakeWorld } from '../../fake/fake-world.ts';
import { ancestors, graphs, HOSTS } from './plans.ts';

const contents = (world: FakeWorld) => HOSTS.map((name) => [name, ...world.fake(name).content()]);
const changes = (world: FakeWorld) => HOSTS.flatMap((name) => world.fake(name).changes);

describe('for any plan', () => {
  it('follows the order of the plan and runs every node once', () =>
    fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const world = fakeWorld(HOSTS);
        const result = await world.run(graph);
        const nodes = nodesOf(graph);
        expect(result).toMatchObject({ outcome: 'done', exit: 0, counts: { done: nodes.length, failed: 0 } });
        expectOrder(graph, world.events);
      }),
    ));

  it('changes nothing in a second run', () =>
    fc.assert(
      fc.asyncProperty(graphs, async (graph) => {
        const world = fakeWorld(HOSTS);
        await world.run(graph);
        const before = changes(world).length;
        const { counts } = await world.run(graph);
        expect(counts).toMatchObject({ done: 0, skipped: nodesOf(graph).length });
        expect(changes(world).length).toBe(before);
      }),
    ));

  it('never exceeds the concurrency limits', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 2 }),
        async (graph, total, perHost) => {
          const world = fakeWorld(HOSTS);
          for (const name of HOSTS) world.fake(name).fault(/cat >/, { delayMs: 0 });
          await world.run(graph, { limits: { total, perHost } });
          const most = maxConcurrency(world.events);
          expect(most.total).toBeLessThanOrEqual(total);
          expect(most.host).toBeLessThanOrEqual(perHost);
        },
      ),
      { numRuns: 30 },
    ));

  it('rolls back the failed task and nothing else', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.nat(), async (graph, pick) => {
        const world = fakeWorld(HOSTS);
        const nodes = nodesOf(graph);
        const bad = nodes[pick % nodes.length]!;
        world
          .fake(bad.host.name)
          .fault(new RegExp(`cat > /${bad.step.name}$`), { exit: 1, times: 1, after: pick % 2 === 0 });
        const { rollback, counts } = await world.run(graph);
        const done = world.events.flatMap((event) => (event.type === 'done' ? [event.node] : []));
        const others = done.filter(({ task }) => task.path !== bad.task.path);
        const before = ancestors(graph);
        // Hosts that had finished their part of the task may have continued.
        const required = done.filter(
          ({ id, task }) => task.path === bad.task.path && others.some((other) => before.get(other.id)!.has(id)),
        );
        expect({ failed: counts.failed, notUndone: rollback.notUndone.map(({ node }) => node).sort() }).toEqual({
          failed: 1,
          notUndone: required.map(({ id }) => id).sort(),
        });
        const kept = new Set([...others, ...required].map(({ step, host }) => `${step.name}@${host.name}`));
        const left = HOSTS.flatMap((name) => [...world.fake(name).files.values()].map((step) => `${step}@${name}`));
        expect(new Set(left)).toEqual(kept);
      }),
    ));

  it('restores hosts and reports it when the only task fails', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.nat(), fc.boolean(), async (length, pick, late) => {
        const world = fakeWorld(HOSTS);
        for (const name of HOSTS) world.fake(name).files.set('/s.0', 'mine').set('/other', 'x');
        const before = contents(world);
        const graph = toGraph(
          'p',
          chain(
            world.hosts,
            Array.from({ length }, (_, at) => fakeStep(`s.${at}`, {}, 2)),
          ),
        );
        const bad = HOSTS[pick % HOSTS.length]!;
        world.fake(bad).fault(new RegExp(`cat > /s.${pick % length}$`), { exit: 1, times: 1, after: late });
        const { outcome, exit, rollback, failures } = await world.run(graph);
        expect({ outcome, exit, failures: failures.length }).toEqual({ outcome: 'failed', exit: 12, failures: 1 });
        expect(contents(world)).toEqual(before);
        expect(rollback.notUndone).toEqual([]);
        expect(rollback.undone.length + rollback.notStarted.length).toBe(nodesOf(graph).length);
        expect(world.eventLines('rolled-back').length).toBe(rollback.undone.length);
      }),
    ));
});

it('does not make hosts wait for each other within a chain', async () => {
  const world = fakeWorld(HOSTS);
  const others = Promise.all([world.event('done s.2@a'), world.event('done s.2@c')]);
  world.fake('b').fault(/cat >/, { waitFor: others });
  await world.run(toGraph('p', chain(world.hosts, [fakeStep('s.0'), fakeStep('s.1'), fakeStep('s.2')])));
  const ends = world.eventLines('done');
  expect(ends.indexOf('done s.2@a')).toBeLessThan(ends.indexOf('done s.0@b'));
  expect(ends.indexOf('done s.2@c')).toBeLessThan(ends.indexOf('done s.0@b'));
});

it('waits for all hosts between sequential fragments', async () => {
  const world = fakeWorld(HOSTS);
  const others = Promise.all([world.event('done s.0@a'), world.event('done s.0@c')]);
  world.fake('b').fault(/cat > \/s.0$/, { waitFor: others });
  await world.run(toGraph('p', sequence(chain(world.hosts, [fakeStep('s.0')]), chain(world.hosts, [fakeStep('s.1')]))));
  const lines = world.eventLines('started', 'done');
  expect(lines.findIndex((line) => line.startsWith('started s.1'))).toBeGreaterThan(lines.indexOf('done s.0@b'));
});

it('grants a named lock to one step per host at a time', async () => {
  const world = fakeWorld(HOSTS);
  let most = 0;
  const now = new Map<string, number>();
  const steps = Array.from({ length: 6 }, (_, at) =>
    defineStep({
      name: `s.${at}`,
      summary: 's',
      locks: at % 2 ? ['apt'] : ['apt', 'dpkg'],
      parts: () => [
        {
          key: 'command:hold',
          summary: 'hold',
          precheck: async () => ({ done: false, because: 'always' }),
          run: async ({ host }) => {
            const held = (now.get(host.name) ?? 0) + 1;
            now.set(host.name, held);
            most = Math.max(most, held);
            await nextTurn();
            now.set(host.name, held - 1);
          },
        },
      ],
    }),
  );
  const all = parallel(...steps.map((step) => chain(world.hosts, [step])));
  await world.run(toGraph('p', all), { limits: { perHost: 6 }, rollback: false });
  expect(most).toBe(1);
});

it('fails a step whose precheck fails, instead of running it', async () => {
  const world = fakeWorld(HOSTS);
  const step = defineStep({
    name: 's.0',
    summary: 's',
    parts: () => [
      {
        key: 'command:stat',
        summary: 'stat',
        precheck: () => Promise.reject(fail('COMMAND_FAILED', { command: 'stat', exit: 2, output: 'I/O error' })),
        run: () => expect.unreachable(),
      },
    ],
  });
  expect(await world.run(toGraph('p', chain(world.hosts, [step])))).toMatchObject({ outcome: 'failed', exit: 12 });
  expect(changes(world)).toEqual([]);
});

function expectOrder({ vertices }: ExecutionGraph, events: readonly Event[]): void {
  const started = new Map<string, number>();
  const ended = new Map<string, number>();
  for (const [at, event] of events.entries()) {
    if (event.type === 'started') started.set(event.node.id, at);
    if (event.type === 'done') ended.set(event.node.id, at);
  }
  const before = (vertex: Vertex): string[] =>
    dependenciesOf(vertex).flatMap((index) => {
      const other = vertices[index]!;
      return other.type === 'node' ? [other.id] : before(other);
    });
  for (const vertex of vertices)
    if (vertex.type === 'node')
      for (const id of before(vertex)) expect(started.get(vertex.id)).toBeGreaterThan(ended.get(id)!);
}

function maxConcurrency(events: readonly Event[]): { total: number; host: number } {
  const running = new Map<string, number>();
  const most = { total: 0, host: 0 };
  for (const event of events) {
    if (event.type !== 'started' && event.type !== 'done') continue;
    const { name } = event.node.host;
    running.set(name, (running.get(name) ?? 0) + (event.type === 'started' ? 1 : -1));
    most.host = Math.max(most.host, ...running.values());
    most.total = Math.max(
      most.total,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    );
  }
  return most;
}
