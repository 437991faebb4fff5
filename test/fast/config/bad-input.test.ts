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

it('explains a file that is missing', async () =>
  expect(await titleOf(join(dir, 'none.yaml'))).toEqual(['FILE_NOT_FOUND', 'DIR/none.yaml does not exist', 10]));
it('explains a path through a file', async () =>
  expect(await titleOf(join(write('f', 'x'), 'y.yaml'))).toEqual([
    'FILE_NOT_FOUND',
    'DIR/f/y.yaml does not exist',
    10,
  ]));
it('explains an empty file', async () =>
  expect(await titleOf(write('empty.yaml', ' \n\n'))).toEqual(['FILE_EMPTY', 'DIR/empty.yaml is empty', 10]));
it('explains a directory', async () => {
  mkdirSync(join(dir, 'folder'));
  expect(await titleOf(join(dir, 'folder'))).toEqual(['FILE_IS_DIRECTORY', 'DIR/folder is a directory', 10]);
});
it('explains a link that leads to itself', async () => {
  symlinkSync(join(dir, 'loop'), join(dir, 'loop'));
  expect(await titleOf(join(dir, 'loop'))).toEqual(['FILE_UNREADABLE', 'DIR/loop cannot be read', 10]);
});
it('explains a file that may not be read', async () => {
  const path = write('private.yaml', full);
  chmodSync(path, 0);
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.('nobody');
  try {
    expect(await titleOf(path)).toEqual(['FILE_UNREADABLE', 'DIR/private.yaml cannot be read', 10]);
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

it('reads a file with a byte order mark and carriage returns as if they were not there', async () => {
  const checked = await checkClusterFile(write('bom.yaml', `\ufeff${full.replaceAll('\n', '\r\n')}`), {
    today: new Date('2026-11-01'),
  });
  expect(checked.diagnostics).toEqual([]);
  expect(checked.file).toEqual(check(full).file);
});
it('reads UTF-16 as Windows writes it', async () => {
  const checked = await checkClusterFile(write('utf16.yaml', Buffer.from(`\ufeff${full}`, 'utf16le')), {
    today: new Date('2026-11-01'),
  });
  expect(checked.diagnostics).toEqual([]);
});

it('stops a YAML bomb', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghij'.split('').map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index]},`.repeat(9)}]`),
  ].join('\n');
  expect(lines(check(bomb))).toEqual(['c.yaml:1:1: grows without measure when its aliases are followed']);
});
it('stops an alias that holds itself', () => {
  expect(lines(check('a: &a [*a]'))).toEqual(['c.yaml:1:1: grows without measure when its aliases are followed']);
});
it('stops nesting without end', () => {
  expect(lines(check(`${'['.repeat(20_000)}${']'.repeat(20_000)}`))).toHaveLength(1);
});

it.each([
  ['a tab', 'spec:\n\thosts: []', 'c.yaml:2:1: is indented with a tab; YAML wants spaces'],
  ['a text', 'just words', 'c.yaml:1:1: must be a map with apiVersion, kind, metadata and spec'],
  ['a list', '- a', 'c.yaml:1:1: must be a map with apiVersion, kind, metadata and spec'],
  ['comments alone', '# nothing', 'c.yaml:1:1: holds no YAML document'],
  ['a quote that stays open', 'kind: "Cluster', 'c.yaml:1:15: is no valid YAML: Missing closing "quote'],
  [
    'an alias without anchor',
    'kind: *x',
    'c.yaml:1:7: begins with * and so is an alias, but has no anchor before it; put it in quotes if it is text',
  ],
])('explains %s in one line', (_, text, line) => expect(lines(check(text))).toEqual([line]));

it.each([
  [
    'a second document',
    `${full}---\nkind: Other\n`,
    'c.yaml:50:1: begins a second document; one file describes one cluster',
  ],
  [
    'a key that stands twice',
    full.replace('kind: Cluster', 'kind: Cluster\nkind: Cluster'),
    'c.yaml:4:1: has a key that is already there; each key may stand once',
  ],
  [
    'an unknown key',
    full.replace('  extra:', '  extar:'),
    'c.yaml:44:3 spec.extar: is not a known key, allowed: hosts, roleGroups, controlPlaneEndpoint, system, kubernetes, etcd, network, registry, storage, dns, addons, extra, artifacts. Did you mean extra?',
  ],
  [
    'an unknown key of a host',
    full.replace('address: 198.51.100.12', 'adress: 198.51.100.12'),
    'c.yaml:11:22 spec.hosts[1].adress: is not a known key, allowed: name, address, internalAddress, port, user, password, privateKey, privateKeyPath, passphrase, sudoPassword, arch, labels, taints, jump, timeout, hostKey. Did you mean address?',
  ],
  [
    'a wrong type',
    full.replace('name: full', 'name: [full]'),
    'c.yaml:5:3 metadata.name: must be text, got a list of 1',
  ],
  [
    'a missing block',
    full.replace(/ {2}roleGroups:[\s\S]* {2}controlPlane/, '  controlPlane'),
    'c.yaml:6:1 spec.roleGroups: is missing',
  ],
  [
    'a wide colon',
    full.replace('kind: Cluster', 'kind： Cluster'),
    'c.yaml:3:5: has a full-width colon "：" after kind; write "kind: " with a plain colon and a space',
  ],
  [
    'a wide colon without a space',
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
    'in a block of a list',
    full.replace('debs', 'debs').replace('system:', 'system:\n    debs:\n      - |\n        note：x'),
  ],
  ['in quotes over two lines', full.replace('bash: echo a }', 'bash: "echo\n      note：x" }')],
])('leaves a wide colon alone %s', (_, text) => expect(lines(check(text)).join()).not.toContain('full-width'));

it('leaves wide colons in texts of the user alone', () => {
  const script = full
    .replace('bash: echo a }]', 'bash: "echo NOTE：x" }]')
    .replace('dns:\n', 'dns:\n    dnsEtcHosts: |\n      # NOTE： mind\n');
  expect(lines(check(script))).toEqual([]);
});

it('reports faults of form and of rules in one go', () => {
  const text = full
    .replace('etcd: [node1]', 'etcd: [nobody]')
    .replace('198.51.100.12', '198.51.100.11')
    .replace('backup: {}', 'backup: { keep: 0 }')
    .replace('version: v1.35.8', 'version: latest');
  expect(lines(check(text))).toEqual([
    'c.yaml:11:31 spec.hosts[1].address: is the address of another host, too, got "198.51.100.11 port 22"',
    'c.yaml:15:12 spec.roleGroups.etcd[0]: names no host, got "nobody"',
    'c.yaml:26:14 spec.kubernetes.version: must be a version such as v1.2.3, got "latest"',
    'c.yaml:29:21 spec.etcd.backup.keep: must be at least 1, got 0',
  ]);
});

it('goes on when a required field is missing', () => {
  const text = full
    .replace('name: node1\n      address: 198.51.100.11', 'name: node1')
    .replace('registry: [node4]', 'registry: [node9]');
  expect(lines(check(text))).toEqual([
    'c.yaml:8:7 spec.hosts[0].address: is missing',
    'c.yaml:17:16 spec.roleGroups.registry[0]: names no host, got "node9". Did you mean node1?',
  ]);
});

/** One fault must not hide another, wherever it is. */
it.each([
  ['a host name', ['name: node1', 'name: Node_1']],
  ['an address', ['address: 198.51.100.12', 'address: 198.51.100.999']],
  ['the version of the format', ['mensylisir.io/v1alpha1', 'mensylisir.io/v9']],
  ['a missing kind', ['kind: Cluster\n', '']],
  ['a host that is no map', ['- { name: node2, address: 198.51.100.12 }', '- node2']],
  ['a typo in a role', ['    worker: [node2, node3]', '    workers: [node2, node3]']],
  ['an item of a role', ['worker: [node2, node3]', 'worker: [node2, 5]']],
  ['a missing server', ['server: nfs.example.com, ', '']],
])('still asks the rules with a fault in %s', (_, [from, to]) => {
  const text = full
    .replace('kubernetes:\n', 'network: { kubePodsCIDR: 10.233.0.0/16 }\n  kubernetes:\n')
    .replace(from!, to!);
  const found = lines(check(text)).join('\n');
  expect(lines(check(text)).length).toBeGreaterThan(1);
  expect(found).toContain('overlaps with the services');
});

it.each([
  ['an unknown key without a value', full.replace('  extra:', '  bogus:\n  extra:'), 'spec.bogus: is not a known key'],
  [
    'a label without a value',
    full.replace('{ name: node2,', '{ name: node2, labels: { a: },'),
    'spec.hosts[1].labels.a: must be',
  ],
  [
    'a gate without a value',
    full.replace('nodelocaldns: true', 'nodelocaldns: true\n    featureGates: { AllAlpha: }'),
    'spec.kubernetes.featureGates.AllAlpha: must be true or false, got nothing',
  ],
  [
    'a password without a value',
    full.replace('{ name: node2,', '{ name: node2, password: ,'),
    'spec.hosts[1].password: must be a text',
  ],
  [
    'a masked password',
    full.replace('{ name: node2,', '{ name: node2, password: •••,'),
    'spec.hosts[1].password: is a mask, not the secret itself',
  ],
  [
    'a key that pollutes',
    full.replace('nodelocaldns: true', 'nodelocaldns: true\n    featureGates: { __proto__: true }'),
    'is a key that cannot be used',
  ],
  [
    'a time zone in small letters',
    full.replace('system:', 'system:\n    timezone: asia/shanghai'),
    'Did you mean Asia/Shanghai?',
  ],
  [
    'a key of a block that is only an alias',
    full.replace('  extra:', '  loadBalancer: { mode: internal, internal: { type: haproxy, colour: red } }\n  extra:'),
    'spec.loadBalancer.internal.colour: is not a known key of this block',
  ],
])('refuses %s', (_, text, line) => expect(lines(check(text)).join('\n')).toContain(line));

it('keeps numbers as they were written where text is meant', () => {
  const checked = check(
    full.replace('{ name: node2,', '{ name: node2, labels: { a: 1.10, b: 007, c: 0x1F }, password: 0123,'),
  );
  expect(checked.file?.spec.hosts[1]?.labels).toEqual({ a: '1.10', b: '007', c: '0x1F' });
});

it('shows no credentials of a URL and no letters that move the cursor', () => {
  const url = check(full, ['kubernetes.containerRuntime.registryMirrors=["ftp://user:hunter2@m"]']);
  expect(lines(url).join()).toContain('got "ftp://•••@m"');
  expect(lines(check(full, ['kubernetes.type="\\e[2J"'])).join()).toContain('got "\\u001b[2J"');
});

it('takes the zone from KMZONE unless the file has one', () => {
  const zone = (text: string, KMZONE: string) => checkClusterText(text, 'c.yaml', { env: { KMZONE } });
  expect(zone(full, 'cn').file?.spec.artifacts.zone).toBe('cn');
  expect(lines(zone(full, 'mars'))).toEqual([
    'KMZONE spec.artifacts.zone: is not allowed, got "mars", allowed: "", cn',
  ]);
});

it('reads a file with a last document that is empty', () => expect(lines(check(`${full}---\n`))).toEqual([]));

it('reads lines that end as on an old Macintosh', () => expect(lines(check(full.replaceAll('\n', '\r')))).toEqual([]));

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
])('takes %s without taking long', (_, text) => {
  const start = performance.now();
  expect(lines(check(text)).length).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(10_000);
});
