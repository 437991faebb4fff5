import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheKey } from '../../../src/cache/cache.ts';
import { LOCAL } from '../../../src/common/host.ts';
import { filterGraph } from '../../../src/plan/filter.ts';
import { chain, empty, on, parallel, scope, sequence } from '../../../src/plan/fragment.ts';
import { nodesOf, dependenciesOf, type ExecutionGraph, type Vertex } from '../../../src/plan/graph.ts';
import { toGraph } from '../../../src/plan/to-graph.ts';
import { outline } from '../../../src/plan/outline.ts';
import { fakeStep } from '../../fake/fake-step.ts';
import { hostNamed } from '../../fake/fake-world.ts';
import { graphs } from '../engine/plans.ts';

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

/** The ids of all nodes that come before each node. */
function ancestors({ vertices }: ExecutionGraph): Map<string, Set<string>> {
  const sets: Set<string>[] = [];
  for (const vertex of vertices)
    sets.push(new Set(dependenciesOf(vertex).flatMap((at) => [...sets[at]!, ...own(vertices[at]!)])));
  return new Map(vertices.flatMap((vertex, at) => (vertex.type === 'node' ? [[vertex.id, sets[at]!]] : [])));
}

const own = (vertex: Vertex) => (vertex.type === 'node' ? [vertex.id] : []);
