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

  it('is empty for stacked etcd', async () => {
    const cluster = await loadCluster('examples/ha-haproxy.yaml', {
      overrides: ['etcd.type=kubeadm', 'roleGroups.etcd=[]'],
    });
    expect(outlineOf(cluster, installEtcdModule)).toBe('trial: 0 steps on 0 hosts');
    expect(outlineOf(cluster, uninstallEtcdModule({ preserveData: false }))).toBe('trial: 0 steps on 0 hosts');
    expect(etcdAccess(cluster)).toBeUndefined();
  });
});

it('issues a certificate with all names and addresses for each member, and one client certificate for API servers', async () => {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: ['roleGroups.etcd=[node1]', 'hosts.node1.internalAddress=10.0.0.1,fd00::1'],
  });
  const { ca, certificates } = certificatesOf(cluster);
  expect(ca).toMatchObject({ name: 'ca', commonName: 'etcd-ca' });
  expect(certificates.map(({ name }) => name)).toEqual(['member-node1', 'peer-node1', 'admin-node1', 'node']);
  const { address } = cluster.hosts[0]!.login;
  for (const certificate of certificates.slice(0, 2))
    expect(certificate).toMatchObject({
      commonName: 'node1',
      dns: ['node1', 'localhost'],
      ips: [...new Set(['10.0.0.1', 'fd00::1', address, '127.0.0.1', '::1'])],
      usages: ['server', 'client'],
    });
  expect(certificates[3]).toMatchObject({ commonName: 'kube-apiserver-etcd-client', usages: ['client'] });
});

describe('the connection of API servers to etcd', () => {
  it('uses the endpoints and certificates of managed members', async () => {
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

  it('has no files for an external etcd without certificates', async () => {
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

describe('problems in the output of etcd', () => {
  it.each([
    ['[{"endpoint":"https://127.0.0.1:2379","health":true,"took":"9ms"}]', undefined],
    ['[{"endpoint":"x","health":false,"error":"context deadline exceeded"}]', 'context deadline exceeded'],
    ['[{"endpoint":"x","health":false}]', 'is not healthy'],
    ['', 'does not respond'],
  ])('endpoint health: %s', (text, problem) => expect(healthProblem(text)).toBe(problem));

  it.each([
    ['{"members":[{"ID":1,"name":"node1"},{"ID":2,"name":"node2"}]}', []],
    ['{"members":[{"ID":1,"name":"node1","isLearner":true}]}', ['is still a learner']],
    ['{"members":[{"ID":2,"name":"node2"}]}', ['node1 is not a member']],
    ['Error: deadline', ['the member list is not available']],
  ])('member list: %s', (text, problems) => expect(membershipProblems(text, 'node1')).toEqual(problems));

  it.each([
    ['{"health":"true","reason":""}', undefined],
    ['{"health":"false","reason":"RAFT NO LEADER"}', 'RAFT NO LEADER'],
    ['<html>', 'does not respond like etcd'],
  ])('/health: %s', (text, problem) => expect(endpointProblem(text)).toBe(problem));
});
