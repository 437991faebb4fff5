import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { formatImmutable, immutableFields } from '../../../../src/config/model/immutable.ts';
import { createRunner } from '../../../../src/runner/create-runner.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { refuseForeignNode } from '../../../../src/step/kubernetes/foreign-node.ts';
import { refuseChanges, type RefuseChangesOptions } from '../../../../src/step/kubernetes/refuse-changes.ts';
import type { Step } from '../../../../src/step/contract/step.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost, no, ok } from '../../../fake/fake-host.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';

const load = (members: string, ...more: readonly string[]) =>
  loadCluster('examples/ha-haproxy.yaml', { overrides: [`roleGroups.etcd=${members}`, ...more] });
const before = await load('["node1"]');
const [host] = hostsOf(before).all;

/** Runs a check on a node that joined the cluster `before`, with these files. */
async function check(step: Step, files: readonly string[] = []) {
  const fake = fakeHost('node1');
  fake.answer(/cat -- \S+\/node /, () => ok(formatImmutable(immutableFields(before))));
  fake.answer(/^p=(\S+); \[ -e/, ([, path = '']) => (files.includes(path) ? ok('81a4 1 1 root root 0 0') : MISSING));
  const hosts = hostsOf(before);
  const ctx = fakeContext(host!, fake, {
    hosts,
    runner: createRunner(fake, fakeFacts('node1')),
    originDir: '/c/before',
  });
  for (const part of step.parts(ctx)) await part.precheck?.(ctx);
}

const MISSING = { ...no(), exit: 44 };

describe('other etcd members in the cluster file', () => {
  const changed = load('["node1","node2","node3"]');
  const checkWith = async (etcdMembers: RefuseChangesOptions['etcdMembers']) =>
    check(refuseChanges(await changed, { etcdMembers }));

  it('are refused by create cluster, with the command that adds them', async () => {
    const applied = () => Promise.resolve(['node1 198.51.100.11']);
    await expect(checkWith(applied)).rejects.toMatchObject({ code: 'ETCD_MEMBERS_CHANGED', exit: 13 });
    await expect(checkWith(() => Promise.resolve(undefined))).rejects.toMatchObject({ code: 'ETCD_MEMBERS_CHANGED' });
  });

  it('are accepted once add nodes has added them, although nodes recorded the former ones', async () => {
    const applied = ['node1 198.51.100.11', 'node2 198.51.100.12', 'node3 198.51.100.13'];
    await checkWith(() => Promise.resolve(applied));
  });

  it('are accepted by a run that adds them, but no other change is', async () => {
    await checkWith('any');
    const other = await load('["node1","node2"]', 'network.kubePodsCIDR=10.99.0.0/16');
    await expect(check(refuseChanges(other, { etcdMembers: 'any' }))).rejects.toMatchObject({
      code: 'CHANGE_UNSUPPORTED',
    });
  });
});

describe('a host with a kubelet', () => {
  const KUBELET_CONF = '/etc/kubernetes/kubelet.conf';

  it('is refused if this cluster has no records on it', async () => {
    await expect(check(refuseForeignNode, [KUBELET_CONF])).rejects.toMatchObject({ code: 'NODE_OF_ANOTHER_CLUSTER' });
  });

  it('is accepted if this cluster installed it, or if there is none', async () => {
    await check(refuseForeignNode, [KUBELET_CONF, '/c/before']);
    await check(refuseForeignNode);
  });
});
