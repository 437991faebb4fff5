import { expect, it } from 'vitest';
import { startApiCluster, type ApiCluster } from './api-cluster.ts';

const path = (name: string) => `/api/v1/nodes/${name}`;

/** The names of the nodes after each change. */
function watchNames(cluster: ApiCluster, signal?: AbortSignal) {
  const changes = cluster.api.watch('nodes', {}, signal && { signal })[Symbol.asyncIterator]();
  return {
    async next() {
      const { value } = await changes.next();
      return [...(value?.values() ?? [])].map(({ metadata }) => metadata.name);
    },
    end: () => changes.return?.(),
  };
}

it('yields the objects that exist, then every change', async () => {
  await using cluster = await startApiCluster();
  const { store } = cluster;
  store.put(path('w1'), {});
  const names = watchNames(cluster);
  expect(await names.next()).toEqual(['w1']);
  store.put(path('w2'), {});
  expect(await names.next()).toEqual(['w1', 'w2']);
  store.remove(path('w1'));
  expect(await names.next()).toEqual(['w2']);
  await names.end();
});

it('continues through another master without missing a change', async () => {
  await using cluster = await startApiCluster({ masters: 2 });
  const { store, servers } = cluster;
  store.put(path('w1'), {});
  const names = watchNames(cluster);
  await names.next();
  store.put(path('w2'), {});
  expect(await names.next()).toEqual(['w1', 'w2']);
  const listed = servers[0]!.requests.length;
  const next = names.next();
  await servers[0]!.kill();
  store.remove(path('w1'));
  store.put(path('w3'), {});
  expect(await next).toEqual(['w2']);
  expect(await names.next()).toEqual(['w2', 'w3']);
  expect(servers[0]!.requests).toHaveLength(listed);
  expect(servers[1]!.requests).toEqual(['GET /readyz', expect.stringContaining('watch=true')]);
  await names.end();
});

it('lists again if the API server no longer has its version', async () => {
  await using cluster = await startApiCluster({ masters: 2 });
  const { store, servers } = cluster;
  store.put(path('w1'), {});
  const names = watchNames(cluster);
  await names.next();
  const next = names.next();
  await servers[0]!.kill();
  store.remove(path('w1'));
  store.put(path('w2'), {});
  store.compact();
  expect(await next).toEqual(['w2']);
  await names.end();
});

it('ends with its signal', async () => {
  await using cluster = await startApiCluster();
  const stop = new AbortController();
  const names = watchNames(cluster, stop.signal);
  await names.next();
  const next = names.next();
  stop.abort(new Error('stopped'));
  await expect(next).rejects.toThrow('stopped');
});
