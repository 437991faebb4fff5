import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheKey } from '../../../src/cache/cache.ts';
import { LOCAL } from '../../../src/common/host.ts';
import { filterGraph } from '../../../src/plan/filter.ts';
import {
  chain,
  empty,
  milestone,
  on,
  parallel,
  perHost,
  scope,
  sequence,
  withCleanup,
  type PlanFragment,
} from '../../../src/plan/fragment.ts';
import { nodesOf, dependenciesOf, type ExecutionGraph } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { outline } from '../../../src/plan/outline.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { hostNamed } from '../../fake/fake-world.ts';
import { ancestors, graphs } from '../engine/plans.ts';

const hosts = ['node1', 'node2', 'node3'].map(hostNamed);
const [node1, ...others] = hosts;
const token = cacheKey<string>('join-token');

const sample = () =>
  toGraph(
    'create-cluster',
    sequence(
      scope('preflight', scope('prepare-assets', on(LOCAL, fakeStep('download.etcd')))),
      parallel(
        scope(
          'etcd',
          scope(
            'install-etcd',
            sequence(
              chain(hosts, [fakeStep('etcd.install'), fakeStep('etcd.configure')]),
              chain(hosts, [fakeStep('etcd.start')]),
            ),
          ),
        ),
        scope(
          'runtime',
          scope('install-containerd', chain(hosts, [fakeStep('containerd.install'), fakeStep('containerd.start')])),
        ),
      ),
      scope(
        'kubernetes',
        sequence(
          scope('bootstrap-first-master', on(node1!, fakeStep('kubeadm.init', { provides: [token] }))),
          scope('join-workers', chain(others, [fakeStep('kubeadm.join', { needs: [token] })])),
        ),
      ),
      scope('etcd', scope('restart-etcd', sequence(...hosts.map((host) => on(host, fakeStep('etcd.restart')))))),
    ),
  );

describe('a plan', () => {
  it('has an outline', () => expect(`${outline(sample())}\n`).toMatchFileSnapshot('../../golden/plan/outline.txt'));

  it('identifies nodes by module, task, step and host', () => {
    expect(nodesOf(sample())[1]).toMatchObject({
      id: 'etcd/install-etcd/etcd.install@node1',
      task: { module: 'etcd', name: 'install-etcd' },
    });
  });

  it('rejects a duplicate step on a host', () => {
    const duplicate = parallel(on(hosts, fakeStep('x.y')), on(node1!, fakeStep('x.y')));
    expect(() => toGraph('p', scope('m', duplicate))).toThrow(
      expect.objectContaining({ code: 'PLAN_DUPLICATE_NODE', exit: 13 }),
    );
  });

  it('rejects a need that no earlier step provides', () => {
    const use = on(node1!, fakeStep('x.use', { needs: [token] }));
    const make = on(node1!, fakeStep('x.make', { provides: [token] }));
    // The gate between the two uses waits for the first one only, not for the step of the other branch.
    const gated = sequence(on(hosts, fakeStep('x.first')), use);
    for (const bad of [use, parallel(make, use), sequence(use, make), parallel(make, gated), parallel(gated, make)])
      expect(() => toGraph('p', bad)).toThrow(expect.objectContaining({ code: 'PLAN_UNMET_NEED', exit: 13 }));
    expect(nodesOf(toGraph('p', sequence(make, empty, parallel(use))))).toHaveLength(2);
  });

  it('drops empty fragments', () => {
    expect(chain([], [fakeStep('x.y')])).toBe(empty);
    expect(scope('m', parallel(empty, sequence()))).toBe(empty);
    expect(nodesOf(toGraph('p', empty))).toEqual([]);
  });

  it('is frozen', () => {
    const { vertices } = sample();
    expect([vertices, ...vertices].every((each) => Object.isFrozen(each))).toBe(true);
  });

  it('handles 1,000 hosts x 300 steps in less than 5 s of CPU time with at most two edges per vertex', () => {
    const many = Array.from({ length: 1000 }, (_, at) => hostNamed(`node${at}`));
    const tasks = Array.from({ length: 10 }, (_, task) =>
      scope(
        `t${task}`,
        chain(
          many,
          Array.from({ length: 30 }, (_, at) => fakeStep(`t${task}.s${at}`)),
        ),
      ),
    );
    const start = process.cpuUsage();
    const { vertices } = toGraph('big', sequence(...tasks));
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
    expect(vertices.reduce((sum, vertex) => sum + dependenciesOf(vertex).length, 0)).toBeLessThan(2 * vertices.length);
  });
});

describe('a selection', () => {
  const ids = (graph: ExecutionGraph) => nodesOf(graph).map(({ id }) => id);

  it('matches modules, tasks, steps, components and hosts', () => {
    expect(new Set(nodesOf(filterGraph(sample(), { tags: ['runtime'] })).map(({ step }) => step.name))).toEqual(
      new Set(['containerd.install', 'containerd.start']),
    );
    expect(ids(filterGraph(sample(), { tags: ['etcd.start', 'download'] }))).toHaveLength(4);
    expect(ids(filterGraph(sample(), { task: 'restart-etcd', hosts: ['node2'] }))).toEqual([
      'etcd/restart-etcd/etcd.restart@node2',
    ]);
    expect(ids(filterGraph(sample(), { skipTags: ['etcd', 'kubernetes'] }))).toHaveLength(7);
  });

  it('reports an excluded provider and an empty selection', () => {
    expect(() => filterGraph(sample(), { task: 'join-workers' })).toThrow(
      expect.objectContaining({
        code: 'PLAN_UNMET_NEED',
        message: expect.stringContaining('kubeadm.init@node1 provides it'),
      }),
    );
    expect(() => filterGraph(sample(), { tags: ['nothing'] })).toThrow(
      expect.objectContaining({ code: 'PLAN_NOTHING_SELECTED' }),
    );
  });

  it('preserves the order of the remaining steps in any plan', () =>
    fc.assert(
      fc.property(graphs, fc.func(fc.boolean()), (graph, picks) => {
        const tags = nodesOf(graph)
          .map(({ step }) => step.name)
          .filter((name) => picks(name));
        fc.pre(tags.length > 0);
        const before = ancestors(graph);
        const after = ancestors(filterGraph(graph, { tags }));
        for (const [id, left] of after)
          expect([...left].sort()).toEqual([...before.get(id)!].filter((each) => after.has(each)).sort());
      }),
    ));
});

describe('hosts that do not wait for each other', () => {
  const local = on(LOCAL, fakeStep('l.make'));
  const idsBefore = (fragment: PlanFragment, id: string) => [...ancestors(toGraph('p', fragment)).get(id)!].sort();

  it('continue when they have finished their own part', () => {
    const plan = perHost(on(hosts, fakeStep('x.a')), on(others, fakeStep('x.b')), on(hosts, fakeStep('x.c')));
    expect(idsBefore(plan, 'x.c@node1')).toEqual(['x.a@node1']);
    expect(idsBefore(plan, 'x.c@node2')).toEqual(['x.a@node2', 'x.b@node2']);
  });

  it('wait for steps on the local machine', () => {
    const plan = perHost(on(hosts, fakeStep('x.a')), local, on(hosts, fakeStep('x.c')));
    expect(idsBefore(plan, 'l.make@local')).toEqual([]);
    expect(idsBefore(plan, 'x.c@node2')).toEqual(['l.make@local', 'x.a@node2']);
    const within = perHost(on(hosts, fakeStep('x.a')), sequence(local, on(hosts, fakeStep('x.b'))));
    expect(idsBefore(within, 'x.b@node2')).toEqual(['l.make@local', 'x.a@node2']);
  });

  it('wait for their own earlier parts although a sequence starts on another host', () => {
    const rolling = sequence(...hosts.map((host) => on(host, fakeStep('x.b'))));
    const plan = perHost(on(hosts, fakeStep('x.a')), rolling, on(hosts, fakeStep('x.c')));
    expect(idsBefore(plan, 'x.b@node1')).toEqual(['x.a@node1']);
    expect(idsBefore(plan, 'x.b@node2')).toEqual(['x.a@node1', 'x.a@node2', 'x.b@node1']);
    expect(idsBefore(plan, 'x.c@node1')).toEqual(['x.a@node1', 'x.b@node1']);
  });

  it('wait for a milestone, which waits for some hosts only', async () => {
    const plan = sequence(
      perHost(
        on(hosts, fakeStep('x.a')),
        milestone([node1!, others[0]!], on(node1!, fakeStep('x.init'))),
        on(hosts, fakeStep('x.join')),
      ),
      on(node1!, fakeStep('x.end')),
    );
    expect(idsBefore(plan, 'x.init@node1')).toEqual(['x.a@node1', 'x.a@node2']);
    expect(idsBefore(plan, 'x.join@node3')).toEqual(['x.a@node1', 'x.a@node2', 'x.a@node3', 'x.init@node1']);
    expect(idsBefore(plan, 'x.end@node1')).toHaveLength(7);
    await expect(`${outline(toGraph('p', plan))}\n`).toMatchFileSnapshot('../../golden/plan/milestone.txt');
  });

  it('do not wait for a cleanup, which waits for all of them', () => {
    const plan = sequence(
      withCleanup(on(hosts, fakeStep('x.a')), on(hosts, fakeStep('x.clear'))),
      on(hosts, fakeStep('x.b')),
    );
    expect(idsBefore(plan, 'x.clear@node1')).toEqual(hosts.map(({ name }) => `x.a@${name}`));
    expect(idsBefore(plan, 'x.b@node1')).toEqual(hosts.map(({ name }) => `x.a@${name}`));
  });

  it('have the same steps, and each its own order, as with gates', () =>
    fc.assert(
      fc.property(fc.array(fc.subarray(hosts, { minLength: 1 }), { minLength: 1, maxLength: 6 }), (parts) => {
        const fragments = parts.map((some, at) => scope(`t${at}`, chain(some, [fakeStep('s.a'), fakeStep('s.b')])));
        const gated = ancestors(toGraph('p', sequence(...fragments)));
        const free = ancestors(toGraph('p', perHost(...fragments)));
        const onHost = (ids: Iterable<string>, host: string) => [...ids].filter((id) => id.endsWith(`@${host}`)).sort();
        expect([...free.keys()].sort()).toEqual([...gated.keys()].sort());
        for (const [id, before] of free) expect([...before].sort()).toEqual(onHost(gated.get(id)!, id.split('@')[1]!));
      }),
    ));

  it('all wait for a milestone, and it waits for the hosts it names', () =>
    fc.assert(
      fc.property(
        fc.array(fc.subarray(hosts, { minLength: 1 }), { minLength: 3 }),
        fc.subarray(hosts),
        (parts, awaited) => {
          const fragments = parts.map((some, at) => scope(`t${at}`, on(some, fakeStep('s.a'))));
          const middle = Math.floor(fragments.length / 2);
          const before = ancestors(
            toGraph('p', perHost(...fragments.map((each, at) => (at === middle ? milestone(awaited, each) : each)))),
          );
          const ids = (at: number) => parts[at]!.map(({ name }) => `t${at}/s.a@${name}`);
          const names = new Set(awaited.map(({ name }) => name));
          for (const id of ids(middle))
            for (let at = 0; at < middle; at++)
              for (const other of ids(at).filter((each) => names.has(each.split('@')[1]!)))
                expect(before.get(id)).toContain(other);
          for (let at = middle + 1; at < parts.length; at++)
            for (const id of ids(at)) for (const other of ids(middle)) expect(before.get(id)).toContain(other);
        },
      ),
    ));
});
