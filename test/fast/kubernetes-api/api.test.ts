import { describe, expect, it } from 'vitest';
import { fail } from '../../../src/common/errors/errors.ts';
import { openKubernetesApi } from '../../../src/kubernetes-api/api.ts';
import { createApiPki } from '../../fake/api-pki.ts';
import { fakeHost, ok } from '../../fake/fake-host.ts';
import { startApiCluster } from './api-cluster.ts';

const node = (name: string) => `/api/v1/nodes/${name}`;

describe('through the SSH connection', () => {
  it('reads, lists, creates, patches and deletes objects', async () => {
    await using cluster = await startApiCluster();
    const { api, store } = cluster;
    store.put(node('w1'), { spec: { unschedulable: true } });
    expect(await api.get('nodes', { name: 'w1' })).toMatchObject({ spec: { unschedulable: true } });
    expect(await api.get('nodes', { name: 'w9' })).toBeUndefined();
    await api.create('secrets', { metadata: { name: 'a', namespace: 'kube-system' }, data: {} });
    expect(await api.list('secrets', { namespace: 'kube-system' })).toMatchObject([{ metadata: { name: 'a' } }]);
    await api.patch('nodes', { name: 'w1' }, { spec: { unschedulable: null } });
    expect(store.get(node('w1'))?.spec).toEqual({});
    expect(await api.delete('nodes', { name: 'w1' })).toBe('deleted');
    expect(await api.delete('nodes', { name: 'w1' })).toBe('gone');
  });

  it('selects by label and field, and reads long lists in pages', async () => {
    await using cluster = await startApiCluster();
    const { api, store, servers } = cluster;
    for (let number = 0; number < 1100; number++)
      store.put(`/api/v1/namespaces/default/pods/p${number}`, {
        metadata: { labels: { odd: String(number % 2) } },
        spec: { nodeName: number < 10 ? 'w1' : 'w2' },
      });
    expect(await api.list('pods', { fields: 'spec.nodeName=w1' })).toHaveLength(10);
    expect(await api.list('pods', { labels: 'odd=1' })).toHaveLength(550);
    const before = servers[0]!.requests.length;
    expect(await api.list('pods')).toHaveLength(1100);
    expect(servers[0]!.requests.length - before).toBe(3);
  });

  it('reports what the API server refuses', async () => {
    await using cluster = await startApiCluster();
    const { api } = cluster;
    await expect(api.patch('nodes', { name: 'w9' }, {})).rejects.toMatchObject({ code: 'API_NOT_FOUND' });
    await api.create('namespaces', { metadata: { name: 'a' } });
    await expect(api.create('namespaces', { metadata: { name: 'a' } })).rejects.toMatchObject({
      code: 'API_CONFLICT',
      message: expect.stringContaining('already exists'),
    });
  });

  it('does not delete an object that was created again', async () => {
    await using cluster = await startApiCluster();
    const { api, store } = cluster;
    store.put(node('w1'), {});
    store.remove(node('w1'));
    store.put(node('w1'), {});
    expect(await api.delete('nodes', { name: 'w1' }, { uid: 'uid-1' })).toBe('gone');
    expect(store.get(node('w1'))).toBeDefined();
  });

  it('distinguishes evicted, missing and blocked pods', async () => {
    await using cluster = await startApiCluster();
    const { api, store } = cluster;
    const pod = { namespace: 'default', name: 'web-1' };
    const path = '/api/v1/namespaces/default/pods/web-1';
    store.put('/apis/policy/v1/namespaces/default/poddisruptionbudgets/web', {
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2 },
    });
    const { metadata } = store.put(path, { metadata: { labels: { app: 'web' } }, spec: {} });
    expect(await api.evict(pod, metadata)).toEqual({
      type: 'blocked',
      reason: 'The disruption budget web needs 2 healthy pods and has 2 currently',
      retryAfterMs: undefined,
    });
    expect(await api.evict(pod, { uid: 'another' })).toEqual({ type: 'gone' });
    expect(await api.evict({ ...pod, name: 'web-9' }, metadata)).toEqual({ type: 'gone' });
    await api.patch(
      'poddisruptionbudgets',
      { namespace: 'default', name: 'web' },
      { status: { disruptionsAllowed: 1 } },
    );
    expect(await api.evict(pod, metadata)).toEqual({ type: 'evicted' });
  });

  it('sends no change that is refused before', async () => {
    await using cluster = await startApiCluster();
    cluster.store.put(node('w1'), {});
    const lost = fail('LOCK_LOST', { cluster: 'c', owner: 'Another run', where: 'node1' });
    const asked: string[] = [];
    const api = cluster.bind({ beforeChange: (master) => (asked.push(master), Promise.reject(lost)) });
    await expect(api.delete('nodes', { name: 'w1' })).rejects.toBe(lost);
    expect(await api.get('nodes', { name: 'w1' })).toBeDefined();
    expect(asked).toEqual(['node1']);
    expect(cluster.servers[0]!.requests).not.toContainEqual(expect.stringContaining('DELETE'));
  });

  it('stops waiting when it is aborted', async () => {
    await using cluster = await startApiCluster();
    cluster.servers[0]!.intercept = ({ url }) => url !== '/readyz';
    const stop = new AbortController();
    const listing = cluster.bind({ signal: stop.signal }).list('nodes');
    stop.abort(fail('INTERRUPTED', {}));
    await expect(listing).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe('the master', () => {
  it('is the first one whose API server is ready', async () => {
    await using cluster = await startApiCluster({ masters: 3, notReady: [0] });
    expect(await cluster.api.master()).toBe('node2');
    expect(cluster.servers[2]!.requests).toEqual([]);
  });

  it('is replaced if it dies during a call', async () => {
    await using cluster = await startApiCluster({ masters: 2 });
    const [first] = cluster.servers;
    cluster.store.put(node('w1'), {});
    expect(await cluster.api.master()).toBe('node1');
    first!.intercept = () => (void first!.kill(), true);
    expect(await cluster.api.list('nodes')).toHaveLength(1);
    expect(await cluster.api.master()).toBe('node2');
  });

  it('is replaced if its SSH connection drops', async () => {
    await using cluster = await startApiCluster({ masters: 2 });
    await cluster.api.master();
    cluster.disconnect(0);
    await cluster.api.list('nodes');
    expect(await cluster.api.master()).toBe('node2');
  });

  it('is used again after a restart of the only API server', async () => {
    await using cluster = await startApiCluster();
    const [server] = cluster.servers;
    let failures = 2;
    server!.intercept = (request) => failures-- > 0 && (request.socket.destroy(), true);
    await expect(cluster.api.list('nodes')).resolves.toEqual([]);
  });

  it('that is missing is reported with the reason of each', async () => {
    await using cluster = await startApiCluster({ masters: 2, notReady: [0] });
    await cluster.servers[1]!.kill();
    await expect(cluster.api.list('nodes', {}, { timeoutMs: 3000 })).rejects.toMatchObject({
      code: 'API_UNAVAILABLE',
      message: expect.stringMatching(/node1: not ready: etcd; node2: Nothing accepts connections/),
    });
  });
});

describe('the connection is refused', () => {
  it('if another CA issued the certificate of the API server', async () => {
    const other = await createApiPki();
    const credentials = () => [() => Promise.resolve(other.admin)];
    await using cluster = await startApiCluster({ credentials });
    const calling = cluster.api.list('nodes', {}, { timeoutMs: 3000 });
    await expect(calling).rejects.toMatchObject({ code: 'API_UNAVAILABLE' });
    expect(cluster.servers[0]!.requests).toEqual([]);
  });

  it('if the certificate is for another name', async () => {
    await using cluster = await startApiCluster({ names: ['elsewhere'] });
    const calling = cluster.api.list('nodes', {}, { timeoutMs: 3000 });
    await expect(calling).rejects.toMatchObject({ message: expect.stringContaining('altnames') });
    expect(cluster.servers[0]!.requests).toEqual([]);
  });
});

it('uses the next credentials if the API server rejects the first', async () => {
  const other = await createApiPki();
  await using cluster = await startApiCluster({
    credentials: ({ admin, ca }) => [
      () => Promise.resolve(undefined),
      () => Promise.resolve({ ...other.admin, ca }),
      () => Promise.resolve(admin),
    ],
  });
  await expect(cluster.api.list('nodes')).resolves.toEqual([]);
});

describe('a host that forbids forwarding', () => {
  const kubectl = (args: string) => `kubectl ${args}`;
  const credentials = [() => Promise.reject(new Error('credentials are not needed'))];

  it('is asked with kubectl', async () => {
    const host = fakeHost('node1');
    const sent: string[] = [];
    host.answer(/^kubectl get --raw '?\/readyz/, () => ok('ok'));
    host.answer(/^kubectl get --raw '\/api\/v1\/nodes\?limit=500'/, () =>
      ok(JSON.stringify({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'w1' } }] })),
    );
    host.answer(/^kubectl get --raw '?\/api\/v1\/nodes\/w9/, () => ({
      exit: 1,
      stdout: '',
      stderr: 'Error from server (NotFound): nodes "w9" not found',
    }));
    host.answer(/^kubectl create --raw \S+\/eviction/, () => ({
      exit: 1,
      stdout: '',
      stderr: 'Error from server: This pod has more than one PodDisruptionBudget.',
    }));
    host.answer(/^kubectl (patch|create) .*/s, ([script = ''], stdin) => (sent.push(script, stdin), ok('{}')));
    const api = openKubernetesApi([{ connector: host, port: 6443, credentials, kubectl }]).bind();
    expect(await api.list('nodes')).toMatchObject([{ metadata: { name: 'w1' } }]);
    expect(await api.get('nodes', { name: 'w9' })).toBeUndefined();
    await api.patch('poddisruptionbudgets', { namespace: 'a', name: 'b' }, { spec: {} }, { type: 'merge' });
    expect(sent).toEqual([
      'kubectl patch poddisruptionbudgets.policy b --namespace a --type merge --patch-file /dev/stdin -o json',
      '{"spec":{}}',
    ]);
    expect(await api.evict({ namespace: 'a', name: 'p' }, { uid: 'x' })).toEqual({
      type: 'refused',
      reason: 'This pod has more than one PodDisruptionBudget.',
    });
  });
});
