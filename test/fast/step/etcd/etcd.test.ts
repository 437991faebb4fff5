import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { installEtcdModule, uninstallEtcdModule } from '../../../../src/module/etcd.ts';
import { definePipeline } from '../../../../src/pipeline/pipeline.ts';
import { outline } from '../../../../src/plan/outline.ts';
import type { Module } from '../../../../src/module/module.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { endpointProblem, healthProblem, membershipProblems } from '../../../../src/step/etcd/parse-health.ts';
import { certificatesOf } from '../../../../src/step/etcd/certificates.ts';
import { etcdAccess } from '../../../../src/template/etcd/access.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';

const outlineOf = (cluster: Cluster, module: Module) =>
  outline(
    plan(
      definePipeline({ name: 'trial', command: 'trial', title: 'Trial', plan: (ctx) => ctx.module(module) }),
      cluster,
      fakeAssets(cluster, ['etcd']),
    ),
  );

describe('the plan', () => {
  it.each([
    ['kubexm', 'ha-haproxy'],
    ['external', 'external-etcd'],
  ])('for etcd of type %s', async (type, example) => {
    const cluster = await loadCluster(`examples/${example}.yaml`, {});
    expect(cluster.etcd.type).toBe(type);
    const plans = [
      installEtcdModule,
      uninstallEtcdModule({ preserveData: false }),
      uninstallEtcdModule({ preserveData: true }),
    ].map((module) => outlineOf(cluster, module));
    await expect(`${plans.join('\n\n')}\n`).toMatchFileSnapshot(`../../../golden/etcd/plan-${type}.txt`);
  });

  it('has nothing for an etcd of kubeadm', async () => {
    const cluster = await loadCluster('examples/ha-haproxy.yaml', {
      overrides: ['etcd.type=kubeadm', 'roleGroups.etcd=[]'],
    });
    expect(outlineOf(cluster, installEtcdModule)).toBe('trial: 0 steps on 0 hosts');
    expect(outlineOf(cluster, uninstallEtcdModule({ preserveData: false }))).toBe('trial: 0 steps on 0 hosts');
    expect(etcdAccess(cluster)).toBeUndefined();
  });
});

it('has a certificate for each member under every name it is called by, and one for all API servers', async () => {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: ['roleGroups.etcd=[node1]', 'hosts.node1.internalAddress=10.0.0.1,fd00::1'],
  });
  const { ca: authority, certificates } = certificatesOf(cluster);
  expect(authority).toMatchObject({ name: 'ca', commonName: 'etcd-ca' });
  expect(certificates.map(({ name }) => name)).toEqual(['member-node1', 'admin-node1', 'node']);
  const { address } = cluster.hosts[0]!.login;
  expect(certificates[0]).toMatchObject({
    commonName: 'node1',
    dns: ['node1', 'localhost'],
    ips: [...new Set(['10.0.0.1', 'fd00::1', address, '127.0.0.1', '::1'])],
    usages: ['server', 'client'],
  });
  expect(certificates[2]).toMatchObject({ commonName: 'kube-apiserver-etcd-client', usages: ['client'] });
});

describe('the way of masters to etcd', () => {
  it('is that of our own members', async () => {
    const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
      overrides: ['roleGroups.etcd=[node1,node2,node3]'],
    });
    expect(etcdAccess(cluster)).toEqual({
      endpoints: ['https://10.0.0.1:2379', 'https://10.0.0.2:2379', 'https://10.0.0.3:2379'],
      caFile: '/etc/kubexm/etcd/ssl/ca.pem',
      certFile: '/etc/kubexm/etcd/ssl/node.pem',
      keyFile: '/etc/kubexm/etcd/ssl/node-key.pem',
    });
  });

  it('has no files where the user names none', async () => {
    const cluster = await loadCluster('examples/external-etcd.yaml', {
      overrides: ['etcd.external={"endpoints":["http://10.0.0.9:2379"]}'],
    });
    expect(etcdAccess(cluster)).toEqual({
      endpoints: ['http://10.0.0.9:2379'],
      caFile: '',
      certFile: '',
      keyFile: '',
    });
  });
});

describe('what etcd answers', () => {
  it.each([
    ['[{"endpoint":"https://127.0.0.1:2379","health":true,"took":"9ms"}]', undefined],
    ['[{"endpoint":"x","health":false,"error":"context deadline exceeded"}]', 'context deadline exceeded'],
    ['[{"endpoint":"x","health":false}]', 'it is not healthy'],
    ['', 'it does not answer'],
  ])('about the health of a member: %s', (text, fault) => expect(healthProblem(text)).toBe(fault));

  it.each([
    ['{"members":[{"ID":1,"name":"node1"},{"ID":2,"name":"node2"}]}', []],
    ['{"members":[{"ID":1,"name":"node1","isLearner":true}]}', ['it is a learner still']],
    ['{"members":[{"ID":2,"name":"node2"}]}', ['node1 is not among its members']],
    ['Error: deadline', ['it does not tell its members']],
  ])('about its members: %s', (text, faults) => expect(membershipProblems(text, 'node1')).toEqual(faults));

  it.each([
    ['{"health":"true","reason":""}', undefined],
    ['{"health":"false","reason":"RAFT NO LEADER"}', 'RAFT NO LEADER'],
    ['<html>', 'it does not answer as etcd does'],
  ])('about an endpoint: %s', (text, fault) => expect(endpointProblem(text)).toBe(fault));
});
