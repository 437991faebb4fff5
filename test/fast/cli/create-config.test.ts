import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { home, kubexm } from './kubexm.ts';

const create = (folder: string, ...flags: string[]) => kubexm(['create', 'config', ...flags], {}, folder);

it('writes a commented file that is valid, and the schema beside it', async () => {
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

it('never overwrites a file without a yes', async () => {
  const folder = home();
  await create(folder, '--name', 'first');
  const again = await create(folder, '--name', 'second');
  expect(again.exit).toBe(14);
  expect(again.stderr).toContain('cluster.yaml exists already');
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
])('makes a file for %s', async (_, flags, text) => {
  const { exit, stdout, stderr } = await kubexm(['create', 'config', '-f', '-', ...flags]);
  expect(stderr).toBe('');
  expect(exit).toBe(0);
  expect(stdout).toContain(text);
});

it('writes nothing when the flags make no valid file, and speaks of the flags', async () => {
  const folder = home();
  const { exit, stderr } = await create(folder, '--host', 'a=nowhere_=x');
  expect(exit).toBe(2);
  expect(stderr).toContain('  spec.hosts[0].address: must be an IP address or a DNS name, got "nowhere_=x"');
  expect(stderr).toContain('kubexm create config --help');
  expect(readdirSync(folder)).toEqual([]);
});

it('shows warnings about what it writes', async () => {
  const { exit, stderr } = await kubexm(['create', 'config', '-f', '-', '--kubernetes-version', 'v1.99.0']);
  expect(exit).toBe(0);
  expect(stderr).toContain('is not among the releases that are known');
});

it('writes what a link leads to, and no device', async () => {
  const folder = home();
  writeFileSync(join(folder, 'real.yaml'), 'old');
  symlinkSync('real.yaml', join(folder, 'link.yaml'));
  expect((await create(folder, '-f', 'link.yaml', '--yes')).exit).toBe(0);
  expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toContain('kind: Cluster');
  expect((await create(folder, '-f', '/dev/null', '--yes')).stderr).toContain('it is no regular file');
  expect((await create(folder, '-f', '.', '--yes')).stderr).toContain('is a directory');
});

it('explains a folder that cannot be written', async () => {
  const { exit, stderr } = await kubexm(['create', 'config', '-f', '/proc/cluster.yaml']);
  expect(exit).toBe(10);
  expect(stderr).toContain('/proc/cluster.yaml cannot be written');
});
