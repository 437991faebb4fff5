import { expect, it } from 'vitest';
import { fail } from '../../../../src/common/errors/errors.ts';
import { DRAIN_DEFAULTS, type DrainOptions } from '../../../../src/step/drain/options.ts';
import { evictPods } from '../../../../src/step/drain/evict-pods.ts';
import type { ObjectStore } from '../../../fake/object-store.ts';
import { startApiCluster, type ApiCluster } from '../../kubernetes-api/api-cluster.ts';

const podPath = (name: string) => `/api/v1/namespaces/default/pods/${name}`;
const BUDGET = '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web';

const owner = (kind: string) => ({ ownerReferences: [{ kind, name: 'x', uid: 'x', controller: true }] });

const addPod = (store: ObjectStore, name: string, { kind = 'ReplicaSet', node = 'w1', ...more } = {}) =>
  store.put(podPath(name), {
    metadata: { labels: { app: 'web' }, ...owner(kind), ...more },
    spec: { nodeName: node, containers: [] },
    status: { phase: 'Running' },
  });

const setBudget = (store: ObjectStore, disruptionsAllowed: number) =>
  store.put(BUDGET, {
    spec: { selector: { matchLabels: { app: 'web' } }, minAvailable: 2 },
    status: { disruptionsAllowed, desiredHealthy: 2, currentHealthy: 2 + disruptionsAllowed, expectedPods: 3 },
  });

function drain(cluster: ApiCluster, options: Partial<DrainOptions> = {}, signal = new AbortController().signal) {
  const said: string[] = [];
  const waiters: { readonly pattern: RegExp; readonly resolve: () => void }[] = [];
  const ended = evictPods({
    api: cluster.api,
    node: 'w1',
    options: { ...DRAIN_DEFAULTS, ...options },
    signal,
    say: (line) => {
      said.push(line.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME'));
      for (const { pattern, resolve } of waiters) if (pattern.test(line)) resolve();
    },
  });
  const hears = (pattern: RegExp) => new Promise<void>((resolve) => void waiters.push({ pattern, resolve }));
  return { said, ended, hears };
}

it('evicts the pods of a node, except those of DaemonSets, static and finished ones', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  addPod(store, 'web-1');
  addPod(store, 'web-2', { node: 'w2' });
  addPod(store, 'proxy', { kind: 'DaemonSet' });
  store.put(podPath('static'), {
    metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec: { nodeName: 'w1', containers: [] },
  });
  store.put(podPath('job'), { metadata: {}, spec: { nodeName: 'w1', containers: [] }, status: { phase: 'Succeeded' } });
  const { said, ended } = drain(cluster);
  await ended;
  expect(store.all().map(({ metadata }) => metadata.name)).toEqual(['web-2', 'proxy', 'static', 'job']);
  expect(said).toEqual(['w1: evicting 1 pod', 'w1: evicted default/web-1', 'w1: 0 pods of 1 left']);
});

it('evicts a pod as soon as its disruption budget opens', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  setBudget(store, 0);
  addPod(store, 'web-1');
  const { said, ended, hears } = drain(cluster);
  await hears(/waits for the disruption budget/);
  const opened = Date.now();
  setBudget(store, 1);
  await ended;
  // Sooner than the pause before the next attempt.
  expect(Date.now() - opened).toBeLessThan(4000);
  expect(said).toContain(
    'w1: default/web-1 waits for the disruption budget web since TIME: it needs 2 healthy pods and has 2',
  );
});

it('waits until the pod with the uid is gone, not one with the same name', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  store.onDelete = () => {};
  addPod(store, 'db-0');
  const { ended, hears } = drain(cluster);
  await hears(/evicted default\/db-0/);
  store.remove(podPath('db-0'));
  addPod(store, 'db-0', { node: 'w2' });
  await ended;
  expect(store.get(podPath('db-0'))?.spec?.nodeName).toBe('w2');
});

it('only waits until deletion has begun if asked to', async () => {
  await using cluster = await startApiCluster();
  cluster.store.onDelete = () => {};
  addPod(cluster.store, 'web-1');
  await drain(cluster, { wait: false }).ended;
  expect(cluster.store.get(podPath('web-1'))?.metadata.deletionTimestamp).toBeDefined();
});

it('times out and names what each pod waits for', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  setBudget(store, 0);
  addPod(store, 'web-1');
  store.put(podPath('held'), {
    metadata: { ...owner('ReplicaSet'), finalizers: ['example.com/hold'] },
    spec: { nodeName: 'w1', containers: [] },
  });
  await expect(drain(cluster, { timeoutMs: 3000 }).ended).rejects.toMatchObject({
    code: 'DRAIN_TIMED_OUT',
    message: expect.stringMatching(
      /default\/web-1 waits for the disruption budget web since .*: it needs 2 healthy pods and has 2\ndefault\/held has been terminating since .*, held by the finalizer example.com\/hold/,
    ),
  });
});

it('ends when it is interrupted, and continues when it is repeated', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  setBudget(store, 1);
  addPod(store, 'web-1');
  addPod(store, 'web-2');
  const stop = new AbortController();
  const first = drain(cluster, {}, stop.signal);
  await first.hears(/waits for the disruption budget/);
  stop.abort(fail('INTERRUPTED', {}));
  await expect(first.ended).rejects.toMatchObject({ code: 'INTERRUPTED' });
  setBudget(store, 1);
  await drain(cluster).ended;
  expect(store.all().filter(({ path }) => path.includes('/pods/'))).toEqual([]);
});

it('continues through another master', async () => {
  await using cluster = await startApiCluster({ masters: 2 });
  const { store, servers } = cluster;
  setBudget(store, 0);
  addPod(store, 'web-1');
  const { ended, hears } = drain(cluster);
  await hears(/waits for the disruption budget/);
  await servers[0]!.kill();
  setBudget(store, 1);
  await ended;
  expect(store.get(podPath('web-1'))).toBeUndefined();
});
