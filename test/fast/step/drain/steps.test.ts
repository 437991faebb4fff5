import { expect, it } from 'vitest';
import type { Host } from '../../../../src/common/host.ts';
import { runStep, type ChangeLog } from '../../../../src/engine/attempt/run-step.ts';
import { on } from '../../../../src/plan/fragment.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import type { StepContext } from '../../../../src/step/contract/part.ts';
import type { Step } from '../../../../src/step/contract/step.ts';
import { checkDrain } from '../../../../src/step/drain/check-drain.ts';
import { cordonNodes, uncordonNodes } from '../../../../src/step/drain/cordon.ts';
import { drainNodes } from '../../../../src/step/drain/drain.ts';
import { DRAIN_DEFAULTS } from '../../../../src/step/drain/options.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { startApiCluster, type ApiCluster } from '../../kubernetes-api/api-cluster.ts';

const master: Host = { name: 'node1', address: '10.0.0.1', roles: ['master'] };
const nodePath = (name: string) => `/api/v1/nodes/${name}`;
const podPath = (name: string) => `/api/v1/namespaces/default/pods/${name}`;

const contextFor = ({ api }: ApiCluster): StepContext => fakeContext(master, fakeHost('node1'), { api });
const run = (step: Step, ctx: StepContext) => runStep(nodesOf(toGraph('test', on(master, step)))[0]!, ctx, NO_LOG);
const NO_LOG: ChangeLog = { knows: () => false, write: () => Promise.resolve() };

it('cordons nodes, and undoes that only on those that were schedulable', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  const ctx = contextFor(cluster);
  store.put(nodePath('w1'), { spec: {} });
  store.put(nodePath('w2'), { spec: { unschedulable: true } });
  const step = cordonNodes({ nodes: ['w1', 'w2'], mustExist: true });
  const parts = step.parts(ctx);
  const before = await Promise.all(parts.map(async (part) => part.remember?.(ctx)));
  expect(await run(step, ctx)).toBe('done');
  expect(await run(step, ctx)).toBe('skipped');
  for (const [index, part] of parts.entries()) await part.rollback?.(ctx, before[index] ?? null);
  expect(['w1', 'w2'].map((name) => store.get(nodePath(name))?.spec)).toEqual([{}, { unschedulable: true }]);
  expect(parts.map(({ key }) => key)).toEqual(['node:cordoned/w1', 'node:cordoned/w2']);
});

it('uncordons a node', async () => {
  await using cluster = await startApiCluster();
  cluster.store.put(nodePath('w1'), { spec: { unschedulable: true } });
  const step = uncordonNodes({ nodes: ['w1'], mustExist: true });
  expect(await run(step, contextFor(cluster))).toBe('done');
  expect(cluster.store.get(nodePath('w1'))?.spec).toEqual({});
});

it('fails for a node that does not exist, unless it may be gone', async () => {
  await using cluster = await startApiCluster();
  const ctx = contextFor(cluster);
  await expect(run(cordonNodes({ nodes: ['w9'], mustExist: true }), ctx)).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
  });
  expect(await run(cordonNodes({ nodes: ['w9'], mustExist: false }), ctx)).toBe('skipped');
  expect(await run(drainNodes(['w9'], DRAIN_DEFAULTS), ctx)).toBe('skipped');
});

it('refuses to evict pods that would be lost, unless told otherwise', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  const ctx = contextFor(cluster);
  const spec = { nodeName: 'w1', containers: [] };
  const ownerReferences = [{ kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }];
  store.put(podPath('debug'), { metadata: {}, spec });
  store.put(podPath('cache'), {
    metadata: { ownerReferences },
    spec: { ...spec, volumes: [{ name: 'a', emptyDir: {} }] },
  });
  await expect(run(checkDrain(['w1'], DRAIN_DEFAULTS), ctx)).rejects.toMatchObject({
    code: 'DRAIN_REFUSED',
    exit: 14,
    message: expect.stringMatching(/default\/debug\n.*default\/cache/),
  });
  const options = { ...DRAIN_DEFAULTS, force: true, deleteEmptyDirData: true };
  expect(await run(checkDrain(['w1'], options), ctx)).toBe('skipped');
  expect(await run(drainNodes(['w1'], options), ctx)).toBe('done');
  expect(store.all()).toEqual([]);
});
