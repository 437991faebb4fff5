import { describe, expect, it } from 'vitest';
import { fail } from '../../../src/common/errors/errors.ts';
import { chain, milestone, on, perHost, scope, sequence, withCleanup } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { fakeWorld } from '../../fake/fake-world.ts';

/** A master that starts a cluster while two workers are installed, and what all of them do afterwards. */
function creation() {
  const world = fakeWorld(['master', 'etcd', 'worker']);
  const [master, etcd, worker] = world.hosts;
  const task = (name: string, hosts = world.hosts) => scope(name, on(hosts, fakeStep(`${name}.do`)));
  const graph = toGraph(
    'p',
    sequence(
      perHost(
        task('prepare'),
        withCleanup(task('install'), task('clear')),
        milestone([master!, etcd!], task('init', [master!])),
        task('join', [worker!]),
      ),
      task('finish'),
    ),
  );
  return { world, graph };
}

const unreachable = (host: string) =>
  fail('HOST_UNREACHABLE', { host, address: '10.0.0.1:22', seconds: 1, reason: 'no route' });

describe('hosts that continue on their own', () => {
  it('start the control plane while a worker is still being installed', async () => {
    const { world, graph } = creation();
    world.fake('worker').fault(/cat > \/install\.do/, { waitFor: world.event('done init.do@master'), times: 1 });
    expect(await world.run(graph)).toMatchObject({ outcome: 'done' });
    const lines = world.eventLines('done');
    expect(lines.indexOf('done init.do@master')).toBeLessThan(lines.indexOf('done install.do@worker'));
    expect(lines.indexOf('done install.do@worker')).toBeLessThan(lines.indexOf('done join.do@worker'));
  });

  it('do not stop when a worker fails that they do not wait for', async () => {
    const { world, graph } = creation();
    world
      .fake('worker')
      .fault(/cat > \/install\.do/, { waitFor: world.event('done init.do@master'), exit: 1, times: 1 });
    const result = await world.run(graph);
    expect(result).toMatchObject({ outcome: 'failed', counts: { failed: 1 } });
    expect(world.eventLines('done')).toContain('done init.do@master');
    expect(world.eventLines('blocked').sort()).toEqual([
      'blocked clear.do@etcd',
      'blocked clear.do@master',
      'blocked clear.do@worker',
      'blocked finish.do@etcd',
      'blocked finish.do@master',
      'blocked finish.do@worker',
      'blocked join.do@worker',
    ]);
    // The control plane depends on its own installation, which is kept.
    expect(result.rollback.notUndone).toEqual([
      { node: 'install/install.do@master', reason: 'a later task depends on it' },
      { node: 'install/install.do@etcd', reason: 'a later task depends on it' },
    ]);
  });

  it('do not start the control plane when an etcd host fails', async () => {
    const { world, graph } = creation();
    world.fake('etcd').fault(/cat > \/install\.do/, { exit: 1, times: 1 });
    expect(await world.run(graph)).toMatchObject({ outcome: 'failed', counts: { failed: 1 } });
    expect(world.eventLines('blocked')).toContain('blocked init.do@master');
    expect(world.fake('master').files.has('/init.do')).toBe(false);
  });

  it('continue without a quarantined worker', async () => {
    const { world, graph } = creation();
    const connect = ({ name }: { readonly name: string }) =>
      name === 'worker' ? Promise.reject(unreachable(name)) : Promise.resolve({ bootId: () => 'first' });
    expect(await world.run(graph, { connect })).toMatchObject({
      outcome: 'partial',
      counts: { failed: 0, blocked: 0 },
    });
    expect(world.eventLines('done')).toContain('done finish.do@master');
  });

  it('need few round trips when nothing has to be done, although cleanups wait for all of them', async () => {
    const world = fakeWorld(['a', 'b']);
    const steps = (name: string, count: number) => Array.from({ length: count }, (_, at) => fakeStep(`${name}.${at}`));
    const graph = toGraph(
      'p',
      perHost(
        withCleanup(scope('x', chain(world.hosts, steps('x', 10))), scope('x', on(world.hosts, fakeStep('x.clear')))),
        scope('y', chain(world.hosts, steps('y', 40))),
      ),
    );
    await world.run(graph);
    const before = world.fake('b').roundTrips;
    world.fake('a').fault(/cat \/x\.9$/, { waitFor: world.event('skipped y.39@b') });
    expect(await world.run(graph)).toMatchObject({ counts: { skipped: 102 } });
    expect(world.fake('b').roundTrips - before).toBe(2);
  });
});
