import { expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { removeMembers } from '../../../../src/step/etcd/remove-member.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';

const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides: ['roleGroups.etcd=[node1,node2,node3]'] });
const { all } = hostsOf(cluster);
const [node1] = all;

/** The members on 10.0.0.N by N, and those that are down; the id of a member is "aN". */
function etcdOf(members: Set<number>, down: ReadonlySet<number> = new Set()) {
  const fake = fakeHost('node1');
  const removed: string[] = [];
  const urlOf = (at: number, port: number) => `https://10.0.0.${at}:${port}`;
  fake.answer(/member list/, () =>
    ok(
      [...members].map((at) => `a${at}, started, node${at}, ${urlOf(at, 2380)}, ${urlOf(at, 2379)}, false\n`).join(''),
    ),
  );
  fake.answer(/endpoint health/, () =>
    ok(JSON.stringify([...members].map((at) => ({ endpoint: urlOf(at, 2379), health: !down.has(at) })))),
  );
  fake.answer(/member remove (\w+)/, ([, id = '']) => {
    removed.push(id);
    members.delete(Number(id.slice(1)));
    return ok();
  });
  const step = (...names: readonly string[]) => {
    const leaving = cluster.hosts.filter(({ name }) => names.includes(name));
    const ctx = fakeContext(node1!, fake);
    return { ctx, parts: removeMembers(cluster, leaving).parts(ctx) };
  };
  return { fake, removed, step };
}

it('removes members by their exact id, and nothing the second time', async () => {
  const { removed, step } = etcdOf(new Set([1, 2, 3]));
  const { ctx, parts } = step('node2', 'node3');
  expect(await parts[0]!.precheck(ctx)).toEqual({ done: false, because: 'member a2 (node2) exists' });
  for (const part of parts) await part.run(ctx);
  expect(removed).toEqual(['a2', 'a3']);
  for (const part of parts) expect(await part.precheck(ctx)).toEqual({ done: true });
  for (const part of parts) await part.run(ctx);
  expect(removed).toEqual(['a2', 'a3']);
});

it('does not remove a healthy member if another one has failed since the plan was made', async () => {
  const { removed, step } = etcdOf(new Set([1, 2, 3]), new Set([3]));
  const { ctx, parts } = step('node2');
  await expect(parts[0]!.run(ctx)).rejects.toMatchObject({ code: 'QUORUM_AT_RISK', exit: 14 });
  expect(removed).toEqual([]);
});

it('removes a failed member', async () => {
  const { removed, step } = etcdOf(new Set([1, 2, 3]), new Set([3]));
  const { ctx, parts } = step('node3');
  await parts[0]!.run(ctx);
  expect(removed).toEqual(['a3']);
});

it('fails if etcd does not list its members, because the member may exist', async () => {
  const { fake, step } = etcdOf(new Set([1, 2, 3]));
  fake.fault(/member list/, { exit: 1 });
  const { ctx, parts } = step('node3');
  await expect(parts[0]!.precheck(ctx)).rejects.toMatchObject({ code: 'ETCD_MEMBERS_UNKNOWN' });
});
