import { expect, it } from 'vitest';
import type { Host } from '../../../../src/common/host.ts';
import { removeNodes } from '../../../../src/step/kubernetes/remove-node.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { startApiCluster, type ApiCluster } from '../../kubernetes-api/api-cluster.ts';

const NODE = '/api/v1/nodes/w1';
const master: Host = { name: 'm1', address: '10.0.0.1', roles: ['master'] };

function removalIn({ api }: ApiCluster) {
  const said: string[] = [];
  let hear = (_line: string) => {};
  const heard = new Promise<string>((resolve) => (hear = resolve));
  const say = (line: string) => {
    said.push(line);
    hear(line);
  };
  const ctx = fakeContext(master, fakeHost('m1'), { api, say });
  const [part] = removeNodes(['w1']).parts(ctx);
  return { ctx, part: part!, said, heard };
}

it('deletes a node, and nothing the second time', async () => {
  await using cluster = await startApiCluster();
  cluster.store.put(NODE, { metadata: {} });
  const { ctx, part, said } = removalIn(cluster);
  expect(await part.precheck(ctx)).toEqual({ done: false, because: 'node w1 exists' });
  await part.run(ctx);
  expect(await part.precheck(ctx)).toEqual({ done: true });
  await part.run(ctx);
  expect(said).toEqual([]);
});

it('waits for a finalizer, and names it', async () => {
  await using cluster = await startApiCluster();
  cluster.store.put(NODE, { metadata: { finalizers: ['example.com/backup'] } });
  const { ctx, part, heard } = removalIn(cluster);
  const ended = part.run(ctx);
  expect(await heard).toBe('waiting until node w1 is gone; finalizers: example.com/backup');
  cluster.store.remove(NODE);
  await ended;
});
