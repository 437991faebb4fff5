import { expect, it } from 'vitest';
import { loadCluster } from '../../../src/config/load/load.ts';
import { etcdEnvironment, type EtcdMember } from '../../../src/template/etcd/environment.ts';
import { etcdUnit } from '../../../src/template/etcd/unit.ts';

const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
  overrides: ['roleGroups.etcd=[node1,node2,node3]', 'etcd.extraArgs.log-format=the "console" one'],
});
const members = cluster.hosts.filter(({ roles }) => roles.includes('etcd'));
const folder = '/etc/kubexm/etcd/ssl';
const { etcd } = cluster;
if (etcd.type !== 'kubexm') throw new TypeError('expected an etcd managed by kubexm');
const member: EtcdMember = {
  etcd,
  version: '3.6.6',
  host: members[1]!,
  members,
  token: 'prod-1',
  state: 'new',
  files: {
    ca: `${folder}/ca.crt`,
    certificate: `${folder}/server.crt`,
    key: `${folder}/server.key`,
    peerCertificate: `${folder}/peer.crt`,
    peerKey: `${folder}/peer.key`,
  },
};

it('environment of a member', () =>
  expect(etcdEnvironment(member)).toMatchFileSnapshot('../../golden/kubernetes/etcd.env'));

it('uses experimental flags only before 3.6', () => {
  expect(etcdEnvironment({ ...member, version: '3.5.24' })).toContain('ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK=true');
  expect(etcdEnvironment(member)).not.toContain('EXPERIMENTAL');
});

it('unit that can write only to the data directory', () =>
  expect(
    etcdUnit({
      binary: '/usr/local/bin/etcd',
      environment: '/etc/etcd/etcd.env',
      dataDir: '/var/lib/etcd',
      user: 'etcd',
    }),
  ).toMatchFileSnapshot('../../golden/kubernetes/etcd.service'));
