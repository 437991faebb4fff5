import { expect, it } from 'vitest';
import { checkClusterText } from '../../../../src/config/load/check.ts';
import type { Target } from '../../../../src/connector/target.ts';
import { sshTarget } from '../../../../src/runtime/session/ssh-target.ts';

/** The SSH target of node2, whose host fields are given; node1 is another host of the cluster. */
async function targetOf(fields: string): Promise<Target> {
  const text = `
apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: demo }
spec:
  hosts:
    - { name: node1, address: 10.0.0.1, user: ops, password: Node1-canary }
    - { name: node2, address: 10.0.0.2, user: root, ${fields} }
  roleGroups: { etcd: [node1], master: [node1], worker: [node2] }
`;
  const { cluster, diagnostics } = checkClusterText(text, 'c.yaml');
  if (!cluster) throw new Error(JSON.stringify(diagnostics));
  return sshTarget(cluster, cluster.hosts[1]!);
}

it('never gives the password of a host to its jump host', async () => {
  const { jump } = await targetOf('password: Node2-canary, jump: me@bastion.example.com:2222');
  expect(jump).toMatchObject({ address: 'bastion.example.com', port: 2222, user: 'me', agent: true });
  expect(jump?.password).toBeUndefined();
  expect(jump?.sudoPassword).toBeUndefined();
  expect(jump?.loginNote).toContain('password of node2');
});

it('uses the key of a host for a jump host without its own credentials', async () => {
  const { jump } = await targetOf('privateKeyPath: /keys/node2, passphrase: Pass-canary, jump: bastion.example.com');
  expect(jump).toMatchObject({ user: 'root', privateKeyPath: '/keys/node2', agent: true });
  expect(jump?.passphrase?.reveal()).toBe('Pass-canary');
  expect(jump?.loginNote).toBeUndefined();
});

it('uses the own credentials and the pinned key of a jump host', async () => {
  const hostKey = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';
  const { jump } = await targetOf(
    `password: Node2-canary, privateKeyPath: /keys/node2, jump: { address: 10.9.9.9, port: 2222, user: me, password: Jump-canary, hostKey: "${hostKey}" }`,
  );
  expect(jump).toMatchObject({ address: '10.9.9.9', port: 2222, user: 'me', hostKey });
  expect(jump?.password?.reveal()).toBe('Jump-canary');
  expect(jump?.privateKeyPath).toBeUndefined();
});

it('logs in to a jump host of the cluster as that host', async () => {
  const { jump } = await targetOf('password: Node2-canary, jump: node1');
  expect(jump).toMatchObject({ name: 'node1', address: '10.0.0.1', user: 'ops' });
  expect(jump?.password?.reveal()).toBe('Node1-canary');
});
