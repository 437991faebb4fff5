import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KubexmError } from '../../../src/common/errors/errors.ts';
import { checkClusterFile } from '../../../src/config/load/load.ts';
import { checkClusterText } from '../../../src/config/load/check.ts';
import { check, fixture, lines } from './check.ts';

const dir = mkdtempSync(join(tmpdir(), 'kubexm-bad-input-'));
afterAll(() => rmSync(dir, { recursive: true }));

const full = fixture('full.yaml');
const write = (name: string, content: string | Buffer) => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};
const titleOf = async (path: string) => {
  const error: unknown = await checkClusterFile(path).catch((caught: unknown) => caught);
  return error instanceof KubexmError ? [error.code, error.report.title.replace(dir, 'DIR'), error.exit] : error;
};

it('explains a missing file', async () =>
  expect(await titleOf(join(dir, 'none.yaml'))).toEqual(['FILE_NOT_FOUND', 'DIR/none.yaml not found', 10]));
it('explains a path below a regular file', async () =>
  expect(await titleOf(join(write('f', 'x'), 'y.yaml'))).toEqual(['FILE_NOT_FOUND', 'DIR/f/y.yaml not found', 10]));
it('explains an empty file', async () =>
  expect(await titleOf(write('empty.yaml', ' \n\n'))).toEqual(['FILE_EMPTY', 'DIR/empty.yaml is empty', 10]));
it('explains a directory', async () => {
  mkdirSync(join(dir, 'folder'));
  expect(await titleOf(join(dir, 'folder'))).toEqual(['FILE_IS_DIRECTORY', 'DIR/folder is a directory', 10]);
});
it('explains a symbolic link to itself', async () => {
  symlinkSync(join(dir, 'loop'), join(dir, 'loop'));
  expect(await titleOf(join(dir, 'loop'))).toEqual(['FILE_UNREADABLE', 'Could not read DIR/loop', 10]);
});
it('explains an unreadable file', async () => {
  const path = write('private.yaml', full);
  chmodSync(path, 0);
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.('nobody');
  try {
    expect(await titleOf(path)).toEqual(['FILE_UNREADABLE', 'Could not read DIR/private.yaml', 10]);
  } finally {
    if (root) process.seteuid?.(0);
  }
});
it('explains a binary file', async () => {
  expect(await titleOf(write('a.bin', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])))).toEqual([
    'FILE_NOT_TEXT',
    'DIR/a.bin is not a text file',
    10,
  ]);
  expect(await titleOf(write('b.bin', Buffer.from([0xff, 0xd8, 0xff, 0xe0])))).toEqual([
    'FILE_NOT_TEXT',
    'DIR/b.bin is not a text file',
    10,
  ]);
});
it('explains a file of 10 MB', async () => {
  expect(await titleOf(write('large.yaml', Buffer.alloc(10 * 1024 * 1024, 'a')))).toEqual([
    'FILE_TOO_LARGE',
    'DIR/large.yaml is too large',
    10,
  ]);
});

it('ignores a byte order mark and carriage returns', async () => {
  const checked = await checkClusterFile(write('bom.yaml', `\ufeff${full.replaceAll('\n', '\r\n')}`), {
    today: new Date('2026-11-01'),
  });
  expect(checked.diagnostics).toEqual([]);
  expect(checked.file).toEqual(check(full).file);
});
it('reads UTF-16 files from Windows', async () => {
  const checked = await checkClusterFile(write('utf16.yaml', Buffer.from(`\ufeff${full}`, 'utf16le')), {
    today: new Date('2026-11-01'),
  });
  expect(checked.diagnostics).toEqual([]);
});

it('rejects a YAML bomb', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghij'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(9)}]`),
  ].join('\n');
  expect(lines(check(bomb))).toEqual(['c.yaml:1:1: is too large after its aliases are resolved']);
});
it('rejects a recursive alias', () => {
  expect(lines(check('a: &a [*a]'))).toEqual(['c.yaml:1:1: is too large after its aliases are resolved']);
});
it('rejects excessive nesting', () => {
  expect(lines(check(`${'['.repeat(20_000)}${']'.repeat(20_000)}`))).toHaveLength(1);
});

it.each([
  ['a tab', 'spec:\n\thosts: []', 'c.yaml:2:1: is indented with a tab; YAML requires spaces'],
  ['a scalar', 'just words', 'c.yaml:1:1: must be a map with apiVersion, kind, metadata and spec'],
  ['a list', '- a', 'c.yaml:1:1: must be a map with apiVersion, kind, metadata and spec'],
  ['only comments', '# nothing', 'c.yaml:1:1: contains no YAML document'],
  ['an unclosed quote', 'kind: "Cluster', 'c.yaml:1:15: is not valid YAML: Missing closing "quote'],
  [
    'an alias without an anchor',
    'kind: *x',
    'c.yaml:1:7: starts with *, which makes it an alias, but the anchor does not exist; put the value in quotes if it is a string',
  ],
])('explains %s in one line', (_, text, line) => expect(lines(check(text))).toEqual([line]));

it.each([
  [
    'a second document',
    `${full}---\nkind: Other\n`,
    'c.yaml:50:1: starts a second document; a cluster file contains one cluster',
  ],
  ['a map as a key', `${full}? { <<: }\n: x\n`, 'c.yaml:50:3: is not a valid key; a key must be a string'],
  ['a duplicate key', full.replace('kind: Cluster', 'kind: Cluster\nkind: Cluster'), 'c.yaml:4:1: is a duplicate key'],
  [
    'an unknown key',
    full.replace('  extra:', '  extar:'),
    'c.yaml:44:3 spec.extar: is not a known key, allowed: hosts, hostKeys, roleGroups, controlPlaneEndpoint, system, kubernetes, security, etcd, network, registry, storage, dns, addons, extra, artifacts. Did you mean extra?',
  ],
  [
    'an unknown key in a host',
    full.replace('address: 198.51.100.12', 'adress: 198.51.100.12'),
    'c.yaml:11:22 spec.hosts[1].adress: is not a known key, allowed: name, address, internalAddress, port, user, password, privateKey, privateKeyPath, passphrase, sudoPassword, arch, labels, taints, jump, timeout, hostKey. Did you mean address?',
  ],
  [
    'a wrong type',
    full.replace('name: full', 'name: [full]'),
    'c.yaml:5:3 metadata.name: must be a string, got a list of 1',
  ],
  [
    'a missing block',
    full.replace(/ {2}roleGroups:[\s\S]* {2}controlPlane/, '  controlPlane'),
    'c.yaml:6:1 spec.roleGroups: is missing',
  ],
  [
    'a full-width colon',
    full.replace('kind: Cluster', 'kind： Cluster'),
    'c.yaml:3:5: has a full-width colon "：" after kind; write "kind: " with a plain colon and a space',
  ],
  [
    'a full-width colon without a space',
    full.replace('version: v1.35.8', 'version：v1.35.8'),
    'c.yaml:26:12: has a full-width colon "：" after version; write "version: " with a plain colon and a space',
  ],
  [
    'a wide space',
    full.replace('  roleGroups:', '\u3000 roleGroups:'),
    'c.yaml:14:1: is indented with a wide or non-breaking space; use plain spaces',
  ],
])('explains %s', (_, text, line) => expect(lines(check(text))).toContain(line));

it.each([
  ['in quotes after a comma', full.replace('name: a,', 'name: "step, note：x",')],
  [
    'in a block scalar of a list',
    full.replace('debs', 'debs').replace('system:', 'system:\n    debs:\n      - |\n        note：x'),
  ],
  ['in a quoted string over two lines', full.replace('bash: echo a }', 'bash: "echo\n      note：x" }')],
])('keeps a full-width colon %s', (_, text) => expect(lines(check(text)).join()).not.toContain('full-width'));

it('keeps full-width colons in scripts and block scalars', () => {
  const script = full
    .replace('bash: echo a }]', 'bash: "echo NOTE：x" }]')
    .replace('dns:\n', 'dns:\n    dnsEtcHosts: |\n      # NOTE： mind\n');
  expect(lines(check(script))).toEqual([]);
});

it('reports schema and rule violations together', () => {
  const text = full
    .replace('etcd: [node1]', 'etcd: [nobody]')
    .replace('198.51.100.12', '198.51.100.11')
    .replace('backup: {}', 'backup: { keep: 0 }')
    .replace('version: v1.35.8', 'version: latest');
  expect(lines(check(text))).toEqual([
    'c.yaml:11:31 spec.hosts[1].address: is also the address of another host, got "198.51.100.11 port 22"',
    'c.yaml:15:12 spec.roleGroups.etcd[0]: is not in spec.hosts, got "nobody"',
    'c.yaml:26:14 spec.kubernetes.version: must be a version such as v1.2.3, got "latest"',
    'c.yaml:29:21 spec.etcd.backup.keep: must be at least 1, got 0',
  ]);
});

it('checks the rules although a required field is missing', () => {
  const text = full
    .replace('name: node1\n      address: 198.51.100.11', 'name: node1')
    .replace('registry: [node4]', 'registry: [node9]');
  expect(lines(check(text))).toEqual([
    'c.yaml:8:7 spec.hosts[0].address: is missing',
    'c.yaml:17:16 spec.roleGroups.registry[0]: is not in spec.hosts, got "node9". Did you mean node1?',
  ]);
});

it.each([
  ['a host name', ['name: node1', 'name: Node_1']],
  ['an address', ['address: 198.51.100.12', 'address: 198.51.100.999']],
  ['the apiVersion', ['mensylisir.io/v1alpha1', 'mensylisir.io/v9']],
  ['a missing kind', ['kind: Cluster\n', '']],
  ['a host that is not a map', ['- { name: node2, address: 198.51.100.12 }', '- node2']],
  ['the name of a role', ['    worker: [node2, node3]', '    workers: [node2, node3]']],
  ['an item of a role group', ['worker: [node2, node3]', 'worker: [node2, 5]']],
  ['the missing NFS server', ['server: nfs.example.com, ', '']],
  ['the network plugin', ['network: {', 'network: { plugin: calcio,']],
  ['the container runtime', ['version: v1.35.8', 'version: v1.35.8\n    containerRuntime: { type: dokcer }']],
  ['the virtual IP', ['    keepalived: {}', '    lb_address: 198.51.100.999\n    keepalived: {}']],
])('checks the rules although there is an error in %s', (_, [from, to]) => {
  const text = full
    .replace('kubernetes:\n', 'network: { kubePodsCIDR: 10.233.0.0/16 }\n  kubernetes:\n')
    .replace(from!, to!);
  const found = lines(check(text)).join('\n');
  expect(lines(check(text)).length).toBeGreaterThan(1);
  expect(found).toContain('overlaps the service network');
});

it.each([
  [
    'a duplicate address when another host has a bad one',
    ['hosts[2].address=198.51.100.999', 'hosts[1].address=198.51.100.11'],
    'spec.hosts[1].address: is also the address of another host',
  ],
  [
    'a host inside the pod network when another host has a bad address',
    ['hosts[2].address=198.51.100.999', 'hosts[1].address=10.233.64.9'],
    'spec.network.kubePodsCIDR: overlaps the address of node2, 10.233.64.9',
  ],
  [
    'a duplicate name when another host has a bad one',
    ['hosts[2].name=Node_3', 'hosts[1].name=node1'],
    'spec.hosts[1].name: is also the name of another host',
  ],
  [
    'a service network that is too large when the pod network is invalid',
    ['network.kubePodsCIDR=all', 'network.kubeServiceCIDR=10.0.0.0/11'],
    'spec.network.kubeServiceCIDR: must have a prefix from /12 to /28',
  ],
  [
    'a removed flag when another component has a bad one',
    ['kubernetes.scheduler.extraArgs={--v: 2}', 'kubernetes.kubelet.extraArgs={pod-infra-container-image: x}'],
    'spec.kubernetes.kubelet.extraArgs.pod-infra-container-image:',
  ],
  [
    'a virtual IP that is missing when the load balancer on the nodes is misspelt',
    ['controlPlaneEndpoint.internalLoadbalancer=haprox', 'controlPlaneEndpoint.externalLoadBalancer=kubexm-kh'],
    'spec.controlPlaneEndpoint.lb_address: must be the virtual IP',
  ],
])('still reports %s', (_, overrides, line) => expect(lines(check(full, overrides)).join('\n')).toContain(line));

it('does not report violations caused by the default for an invalid value', () => {
  const found = check(full, ['network.plugin=kube-ovm', 'network.kubePodsCIDR=100.64.0.0/18']);
  expect(lines(found)).toHaveLength(1);
  expect(
    lines(check(full, ['controlPlaneEndpoint.internalLoadbalancer=haprox', 'roleGroups.master=[node1, node2]'])),
  ).toHaveLength(1);
});

it('reports a range with several missing hosts once', () => {
  expect(lines(check(full, ['roleGroups.worker=["node[2:100]"]']))).toEqual([
    '-e roleGroups.worker spec.roleGroups.worker[0]: includes 96 hosts that are not in spec.hosts: node5, node6, node7, …, got "node[2:100]"',
  ]);
  expect(lines(check(full, ['roleGroups.worker=["node[4:5]", "node[6:7]"]']))).toEqual([
    '-e roleGroups.worker spec.roleGroups.worker[0]: includes a host that is not in spec.hosts: node5, got "node[4:5]"',
    '-e roleGroups.worker spec.roleGroups.worker[1]: includes 2 hosts that are not in spec.hosts: node6, node7, got "node[6:7]"',
  ]);
});

it.each([
  ['an unknown key without a value', full.replace('  extra:', '  bogus:\n  extra:'), 'spec.bogus: is not a known key'],
  [
    'a label without a value',
    full.replace('{ name: node2,', '{ name: node2, labels: { a: },'),
    'spec.hosts[1].labels.a: must be',
  ],
  [
    'a feature gate without a value',
    full.replace('nodelocaldns: true', 'nodelocaldns: true\n    featureGates: { AllAlpha: }'),
    'spec.kubernetes.featureGates.AllAlpha: must be true or false, got nothing',
  ],
  [
    'a password without a value',
    full.replace('{ name: node2,', '{ name: node2, password: ,'),
    'spec.hosts[1].password: must be a string',
  ],
  [
    'a masked password',
    full.replace('{ name: node2,', '{ name: node2, password: •••,'),
    'spec.hosts[1].password: is a masked value, not the secret itself',
  ],
  [
    'the key __proto__',
    full.replace('nodelocaldns: true', 'nodelocaldns: true\n    featureGates: { __proto__: true }'),
    'is a reserved key',
  ],
  [
    'a time zone in lower case',
    full.replace('system:', 'system:\n    timezone: asia/shanghai'),
    'Did you mean Asia/Shanghai?',
  ],
  [
    'an unknown key in a block of aliases',
    full.replace('  extra:', '  loadBalancer: { mode: internal, internal: { type: haproxy, colour: red } }\n  extra:'),
    'spec.loadBalancer.internal.colour: is not a known key of this block',
  ],
])('rejects %s', (_, text, line) => expect(lines(check(text)).join('\n')).toContain(line));

it('keeps the spelling of numbers in text fields', () => {
  const checked = check(
    full.replace('{ name: node2,', '{ name: node2, labels: { a: 1.10, b: 007, c: 0x1F }, password: 0123,'),
  );
  expect(checked.file?.spec.hosts[1]?.labels).toEqual({ a: '1.10', b: '007', c: '0x1F' });
});

it('shows neither credentials in URLs nor control characters', () => {
  const url = check(full, ['kubernetes.containerRuntime.registryMirrors=["ftp://user:hunter2@m"]']);
  expect(lines(url).join()).toContain('got "ftp://•••@m"');
  expect(lines(check(full, ['kubernetes.type="\\e[2J"'])).join()).toContain('got "\\u001b[2J"');
});

it('takes the zone from KMZONE unless the cluster file sets it', () => {
  const zone = (text: string, KMZONE: string) => checkClusterText(text, 'c.yaml', { env: { KMZONE } });
  expect(zone(full, 'cn').file?.spec.artifacts.zone).toBe('cn');
  expect(lines(zone(full, 'mars'))).toEqual([
    'KMZONE spec.artifacts.zone: is not allowed, got "mars", allowed: "", cn',
  ]);
  const inFile = full.replace('  artifacts:\n', '  artifacts:\n    zone: cn\n');
  expect(lines(zone(inFile, 'mars'))).toEqual([]);
  expect(zone(inFile, 'mars').file?.spec.artifacts.zone).toBe('cn');
});

it.each([
  ['etcd.extraArgs={x: "a\\nUser=root"}', 'spec.etcd.extraArgs.x'],
  ['kubernetes.apiserver.extraArgs={v: "2\\nExecStartPre=/bin/x"}', 'spec.kubernetes.apiserver.extraArgs.v'],
  ['etcd.dataDir="/data/etcd\\nUser=root"', 'spec.etcd.dataDir'],
  ['registry.registryDataDir="/data/registry\\tx"', 'spec.registry.registryDataDir'],
])('refuses a line break that would add a setting to a unit: %s', (override, path) => {
  const found = lines(check(full, [override])).join('\n');
  expect(found).toContain(`${path}: must not contain line breaks or other control characters`);
});

it('takes the mode of host keys from KUBEXM_HOST_KEYS even if the cluster file sets it', () => {
  const mode = (text: string, KUBEXM_HOST_KEYS: string) =>
    checkClusterText(text, 'c.yaml', { env: { KUBEXM_HOST_KEYS } });
  expect(mode(full, '').cluster?.hostKeys).toBe('tofu');
  expect(mode(full, 'strict').cluster?.hostKeys).toBe('strict');
  expect(mode(full.replace('spec:\n', 'spec:\n  hostKeys: strict\n'), 'tofu').cluster?.hostKeys).toBe('tofu');
  expect(lines(mode(full, 'ask'))).toEqual([
    'KUBEXM_HOST_KEYS spec.hostKeys: is not allowed, got "ask", allowed: tofu, strict',
  ]);
});

it('ignores an empty last document', () => expect(lines(check(`${full}---\n`))).toEqual([]));

it('reads files with carriage returns only', () => expect(lines(check(full.replaceAll('\n', '\r')))).toEqual([]));

it.each([
  ['many unknown keys', `spec:\n${Array.from({ length: 20_000 }, (_, index) => `  key${index}: 1`).join('\n')}`],
  ['many large ranges', full.replace('worker: [node2, node3]', `worker: [${'"n[0:9999]", '.repeat(1000)}]`)],
  [
    'many unknown names',
    full.replace(
      'worker: [node2, node3]',
      `worker: [${Array.from({ length: 3000 }, (_, index) => `x${index}`).join(', ')}]`,
    ),
  ],
])('handles %s within seconds of CPU time', (_, text) => {
  const start = process.cpuUsage();
  expect(lines(check(text)).length).toBeGreaterThan(0);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
});
