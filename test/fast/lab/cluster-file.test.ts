import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { clusterFile } from '../../../src/lab/cluster-file.ts';
import { labOptions, machineNames, type LabOptions } from '../../../src/lab/options.ts';

const textFor = (given: Partial<LabOptions>) => {
  const options = labOptions({ name: 'demo', ...given });
  const machines = machineNames(options).map((name, index) => ({
    machine: {
      name,
      lab: 'demo',
      container: `kubexm-demo-${name}`,
      address: `10.177.0.${11 + index}`,
      port: options.port,
    },
    hostKey: `ssh-ed25519 KEY${index}`,
  }));
  return clusterFile(options, machines, [{ path: '/labs/demo/id_ed25519', publicKey: 'ssh-ed25519 AAAA' }]);
};

test('cluster file for two machines', () => {
  expect(textFor({ machines: 2 })).toBe(`# The machines of the lab demo, written by kubexm lab up.
apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata:
  name: demo
spec:
  hosts:
    - name: node1
      address: 10.177.0.11
      user: root
      privateKeyPath: /labs/demo/id_ed25519
      hostKey: ssh-ed25519 KEY0
    - name: node2
      address: 10.177.0.12
      user: root
      privateKeyPath: /labs/demo/id_ed25519
      hostKey: ssh-ed25519 KEY1
  roleGroups:
    etcd:
      - node1
    master:
      - node1
    worker:
      - node2
  kubernetes:
    version: v1.35.4
    kubeletConfiguration:
      failSwapOn: false
      failCgroupV1: false
      evictionHard:
        nodefs.available: 1%
        imagefs.available: 1%
      imageGCHighThresholdPercent: 99
      imageGCLowThresholdPercent: 98
    kubeProxyConfiguration:
      conntrack:
        maxPerCore: 0
    ignorePreflightErrors:
      - SystemVerification
      - Mem
      - NumCPU
  network:
    plugin: flannel
`);
});

test('one machine has every role', () => {
  expect(parse(textFor({ machines: 1 })).spec.roleGroups).toEqual({
    etcd: ['node1'],
    master: ['node1'],
    worker: ['node1'],
  });
});

test('five machines have three masters behind a load balancer', () => {
  const { roleGroups, controlPlaneEndpoint } = parse(textFor({ machines: 5 })).spec;
  expect(roleGroups.master).toEqual(['node1', 'node2', 'node3']);
  expect(roleGroups.worker).toEqual(['node4', 'node5']);
  expect(controlPlaneEndpoint).toEqual({ internalLoadbalancer: 'haproxy' });
});

test('the jump host is not a cluster host', () => {
  const { hosts } = parse(textFor({ machines: 1, jump: true, user: 'ops' })).spec;
  expect(hosts).toHaveLength(1);
  expect(hosts[0]).toMatchObject({
    name: 'node1',
    address: '10.177.0.12',
    jump: {
      address: '10.177.0.11',
      user: 'ops',
      privateKeyPath: '/labs/demo/id_ed25519',
      hostKey: 'ssh-ed25519 KEY0',
    },
  });
});
