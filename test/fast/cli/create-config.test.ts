import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { home, kubexm } from './kubexm.ts';

/** Prints a cluster file. The flags are split at spaces. */
const print = (...flags: string[]) => kubexm(['create', 'config', '-f', '-', ...flags.join(' ').split(' ')]);

const create = (folder: string, ...flags: string[]) => kubexm(['create', 'config', ...flags], {}, folder);

it('writes a valid cluster file with comments and its JSON Schema', async () => {
  const folder = home();
  const { exit, stdout } = await create(
    folder,
    '-f',
    'c.yaml',
    '--name',
    'prod',
    '--host',
    '198.51.100.11',
    '--host',
    'b=198.51.100.12',
  );
  expect(exit).toBe(0);
  expect(stdout).toContain('kubexm validate cluster -f c.yaml');
  expect(statSync(join(folder, 'c.yaml')).mode & 0o777).toBe(0o600);
  await expect(readFileSync(join(folder, 'c.yaml'), 'utf8')).toMatchFileSnapshot('../../golden/create-config.yaml');
  expect(readFileSync(join(folder, '.kubexm/cluster.schema.json'), 'utf8')).toBe(
    readFileSync('schema/cluster.schema.json', 'utf8'),
  );
  expect((await kubexm(['validate', 'cluster', '-f', join(folder, 'c.yaml')])).exit).toBe(0);
});

it('never overwrites a file without --yes', async () => {
  const folder = home();
  await create(folder, '--name', 'first');
  const again = await create(folder, '--name', 'second');
  expect(again.exit).toBe(14);
  expect(again.stderr).toContain('cluster.yaml already exists');
  expect(readFileSync(join(folder, 'cluster.yaml'), 'utf8')).toContain('name: first');
  expect((await create(folder, '--name', 'second', '--yes')).exit).toBe(0);
  expect(readFileSync(join(folder, 'cluster.yaml'), 'utf8')).toContain('name: second');
});

it.each([
  [
    'five hosts',
    [
      '--host',
      '198.51.100.1',
      '--host',
      '198.51.100.2',
      '--host',
      '198.51.100.3',
      '--host',
      '198.51.100.4',
      '--host',
      '198.51.100.5',
    ],
    'internalLoadbalancer: haproxy',
  ],
  ['kubeadm etcd', ['--etcd-type', 'kubeadm'], 'type: kubeadm'],
  [
    'a virtual IP',
    [
      '--host',
      'a=198.51.100.1',
      '--host',
      'lb=198.51.100.2',
      '--loadbalancer',
      'lb',
      '--balancer',
      'kubexm-kn',
      '--vip',
      '198.51.100.9',
    ],
    'externalLoadBalancer: kubexm-kn',
  ],
  [
    'another runtime and network',
    ['--runtime', 'cri-o', '--network', 'cilium', '--kubernetes-version', '1.36.3'],
    'version: v1.36.3',
  ],
])('writes a cluster file for %s', async (_, flags, text) => {
  const { exit, stdout, stderr } = await kubexm(['create', 'config', '-f', '-', ...flags]);
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(stdout).toContain(text);
});

it('accepts the address of a host wherever its name is accepted', async () => {
  const { exit, stdout, stderr } = await print(
    '--balancer kubexm-kh --vip 198.51.100.9',
    '--host a=198.51.100.1 --host 198.51.100.2 --host lb=198.51.100.3',
    '--master 198.51.100.1 --etcd 198.51.100.1 --worker 198.51.100.2 --loadbalancer 198.51.100.3',
  );
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(parse(stdout).spec.roleGroups).toEqual({
    etcd: ['a'],
    master: ['a'],
    worker: ['node2'],
    loadbalancer: ['lb'],
  });
});

it('recognizes an IPv6 address in any spelling', async () => {
  const { stdout, stderr } = await print(
    '--host a=2001:db8::1 --master 2001:DB8:0::1 --pods-cidr fd00:1::/112 --services-cidr fd00:2::/112',
  );
  expect(stderr).toBe('');
  expect(parse(stdout).spec.hosts).toHaveLength(1);
  expect(parse(stdout).spec.roleGroups).toEqual({ etcd: ['a'], master: ['a'], worker: ['a'] });
});

it('adds a host for each address that only a role flag names', async () => {
  const { stdout, stderr } = await print(
    '--host node2=198.51.100.1 --master 198.51.100.11 --worker 198.51.100.12 --worker node2',
  );
  expect(stderr).toBe('');
  const { hosts, roleGroups } = parse(stdout).spec;
  expect(hosts.map(({ name, address }: Record<string, string>) => `${name} ${address}`)).toEqual([
    'node2 198.51.100.1',
    'node3 198.51.100.11',
    'node4 198.51.100.12',
  ]);
  expect(roleGroups).toEqual({ etcd: ['node3'], master: ['node3'], worker: ['node4', 'node2'] });
});

it('expands ranges of names and of addresses', async () => {
  const { stdout, stderr } = await print('--host 198.51.100.[1:5] --master node[1:3] --worker 198.51.100.[4:6]');
  expect(stderr).toBe('');
  const { hosts, roleGroups, controlPlaneEndpoint } = parse(stdout).spec;
  expect(hosts).toHaveLength(6);
  expect(roleGroups.master).toEqual(['node1', 'node2', 'node3']);
  expect(roleGroups.worker).toEqual(['node4', 'node5', 'node6']);
  expect(controlPlaneEndpoint.internalLoadbalancer).toBe('haproxy');
});

it('writes nothing if the flags result in an invalid cluster file', async () => {
  const folder = home();
  const { exit, stderr } = await create(folder, '--host', 'a=nowhere_=x');
  expect(exit).toBe(2);
  expect(stderr).toContain('  spec.hosts[0].address: must be an IP address or a DNS name, got "nowhere_=x"');
  expect(stderr).toContain('kubexm create config --help');
  expect(readdirSync(folder)).toEqual([]);
});

it('shows warnings about the cluster file', async () => {
  const { exit, stderr } = await kubexm(['create', 'config', '-f', '-', '--kubernetes-version', 'v1.99.0']);
  expect(exit).toBe(0);
  expect(stderr).toContain('is not a release known to kubexm');
});

it('writes to the target of a symbolic link but not to a device', async () => {
  const folder = home();
  writeFileSync(join(folder, 'real.yaml'), 'old');
  symlinkSync('real.yaml', join(folder, 'link.yaml'));
  expect((await create(folder, '-f', 'link.yaml', '--yes')).exit).toBe(0);
  expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toContain('kind: Cluster');
  expect((await create(folder, '-f', '/dev/null', '--yes')).stderr).toContain('not a regular file');
  expect((await create(folder, '-f', '.', '--yes')).stderr).toContain('is a directory');
});

it('explains a folder that is not writable', async () => {
  const { exit, stderr } = await kubexm(['create', 'config', '-f', '/proc/cluster.yaml']);
  expect(exit).toBe(10);
  expect(stderr).toContain('Could not write /proc/cluster.yaml');
});
