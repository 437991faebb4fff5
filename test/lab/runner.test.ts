import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Secret } from '../../src/common/secret.ts';
import type { Connector } from '../../src/connector/connector.ts';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { onMachine, scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp } from '../../src/lab/up.ts';
import { sh } from '../../src/runner/command.ts';
import { createRunner } from '../../src/runner/create-runner.ts';
import { gatherFacts } from '../../src/runner/facts/gather.ts';
import type { Runner } from '../../src/runner/runner.ts';
import { connect } from './support/connect.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('runner');
let machine: Machine;
let connector: Connector;
let runner: Runner;
beforeAll(async () => {
  const lab = await labUp({ name, machines: 1, user: 'ops' });
  machine = lab.machines[0]!;
  connector = connect(lab, machine, 'ops');
  runner = createRunner(connector, await gatherFacts(connector));
});
afterAll(() => connector[Symbol.asyncDispose]());
afterEach(() => clearFaults(machine));

const countRoundTrips = async <T>(action: () => Promise<T>) => {
  const before = connector.roundTrips;
  const result = await action();
  return { result, count: connector.roundTrips - before };
};

it('gathers the facts of a machine in one round trip', async () => {
  const start = performance.now();
  const { result: facts, count } = await countRoundTrips(() => gatherFacts(connector));
  const gatheredInMs = performance.now() - start;
  expect(count).toBe(1);
  const outputOf = async (...argv: string[]) => (await onMachine(machine, argv)).trim();
  expect(facts).toMatchObject({
    hostname: machine.name,
    os: { id: 'debian', idLike: [], versionId: '12', prettyName: expect.stringContaining('bookworm') },
    family: 'debian',
    kernel: await outputOf('uname', '-r'),
    cpus: Number(await outputOf('nproc')),
    init: 'systemd',
    virtualization: { type: 'container', name: 'podman' },
    machineId: await outputOf('cat', '/etc/machine-id'),
    bootId: await outputOf('cat', '/proc/sys/kernel/random/boot_id'),
    packageManager: 'apt',
  });
  expect(facts.memoryBytes).toBeGreaterThan(512 * 1024 ** 2);
  // The measurement is as exact as the time it takes.
  expect(Math.abs(facts.clockSkewMs)).toBeLessThan(2000 + gatheredInMs);
  expect(facts.mounts.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/var/lib/kubelet', '/run']));
  const root = facts.mounts.find(({ path }) => path === '/');
  expect(root?.freeBytes).toBeGreaterThan(0);
  expect(root?.freeInodes).toBeGreaterThan(0);
  expect(facts.interfaces).toContainEqual(
    expect.objectContaining({ name: 'eth0', addresses: expect.arrayContaining([`${machine.address}/24`]) }),
  );
  expect(facts.routes).toContainEqual({ destination: 'default', gateway: expect.any(String), interface: 'eth0' });
  expect(facts.listening).toContainEqual({ protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' });
  expect(facts.services).toMatchObject({ chrony: 'active', etcd: 'absent', nftables: 'inactive' });
});

it('gathers the same facts without ip and ss', async () => {
  const expected = await gatherFacts(connector);
  const programs = '$(readlink -f /usr/bin/ss) $(readlink -f /usr/sbin/ip)';
  await scriptOn(machine, `chmod 0 ${programs}`);
  const facts = await gatherFacts(connector).finally(() => scriptOn(machine, `chmod 755 ${programs}`));
  const ports = (all: typeof facts.listening) =>
    all.map(({ protocol, port, process }) => `${protocol} ${port} ${process ?? ''}`).sort();
  const defaultRoutes = (all: typeof facts.routes) => all.filter(({ destination }) => destination === 'default');
  expect(ports(facts.listening)).toEqual(ports(expected.listening));
  expect(defaultRoutes(facts.routes)).toEqual(defaultRoutes(expected.routes));
  expect(facts.interfaces.map((one) => one.mac)).toEqual(expected.interfaces.map((one) => one.mac));
});

it('batches concurrent queries into one round trip', async () => {
  const { result, count } = await countRoundTrips(() =>
    Promise.all([
      runner.stat('/etc/hostname'),
      runner.read('/etc/hostname'),
      runner.sha256('/etc/hostname'),
      runner.stat('/nowhere'),
      runner.read('/etc'),
      runner.test(sh`[ -d /etc ]`),
      runner.services.state('ssh.service'),
      runner.packages.installed(['curl', 'no-such-package']),
    ]),
  );
  expect(count).toBe(1);
  const [stat, content, checksum, none, folder, isFolder, service, packages] = result;
  expect(stat).toMatchObject({ type: 'file', owner: 'root:root', ids: '0:0' });
  expect(content).toBe(`${machine.name}\n`);
  expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  expect([none, folder, isFolder]).toEqual([undefined, undefined, true]);
  expect(service).toMatchObject({ exists: true, enabled: true, active: true });
  expect([...packages.keys()]).toEqual(['curl']);
});

it('quotes arguments, and masks secrets only in messages', async () => {
  const nasty = `a'b "c" $(touch /run/pwned) \`id\` \\ *`;
  const { stdout } = await runner.run(sh`printf %s ${nasty}`);
  expect(stdout).toBe(nasty);
  await expect(runner.run(sh`echo ${new Secret('geheim')} | grep -q nothing`)).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.not.stringContaining('geheim'),
  });
});

it('fails if the test program is missing instead of returning false', async () => {
  await expect(runner.test(sh`no-such-program --ask`)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
});

it('writes files atomically, and leaves no temporary file on a full disk', async () => {
  const path = '/var/tmp/kubexm-big';
  await runner.write({ path, content: 'old\n', mode: 0o600, owner: 'root:root' });
  await faults.fullDisk.apply(machine, { directory: '/var/tmp' });
  const file = { path, content: 'x'.repeat(3_000_000), mode: 0o600, owner: 'root:root' };
  await expect(runner.write(file)).rejects.toMatchObject({
    code: 'HOST_DISK_FULL',
    report: { title: `No space left on ${machine.name}` },
  });
  expect(await runner.read(path)).toBe('old\n');
  expect((await onMachine(machine, ['ls', '-A', '/var/tmp'])).split('\n')).not.toContain('.kubexm-big.kubexm');
});

it('waits for the dpkg lock and reports its holder', async () => {
  await faults.dpkgLock.apply(machine);
  const said: string[] = [];
  let released: Promise<void> | undefined;
  const onLine = (line: string) => {
    said.push(line);
    if (line.startsWith('waiting for the package manager lock')) released ??= faults.dpkgLock.clear(machine);
  };
  await runner.packages.install(['tree'], { onLine });
  await released;
  expect(said.find((line) => line.startsWith('waiting for the package manager lock'))).toMatch(
    /held by \S*perl .*dpkg-lock.* \(pid \d+\)/,
  );
  expect([...(await runner.packages.installed(['tree'])).keys()]).toEqual(['tree']);
  await runner.packages.remove(['tree']);
  expect((await runner.packages.installed(['tree'])).size).toBe(0);
});

it('completes an interrupted dpkg run', async () => {
  await scriptOn(
    machine,
    'cd /var/tmp; apt-get -q update >/dev/null; apt-get -q download tree >/dev/null; dpkg --unpack tree_*.deb >/dev/null; rm tree_*.deb',
  );
  expect((await runner.packages.installed(['tree'])).size).toBe(0);
  const said: string[] = [];
  await runner.packages.install(['tree'], { onLine: (line) => said.push(line) });
  expect(said.join('\n')).toContain('dpkg was interrupted; completing');
  await runner.packages.remove(['tree']);
});

it('reports packages that no repository has', async () => {
  await expect(runner.packages.install(['no-such-package'])).rejects.toMatchObject({
    code: 'PACKAGE_NOT_FOUND',
    message: expect.stringContaining('no-such-package'),
  });
});

it('distinguishes an unreachable repository from a missing package', async () => {
  await scriptOn(
    machine,
    'mv /etc/apt/sources.list /etc/apt/sources.away; echo "deb http://127.0.0.1:9 bookworm main" >/etc/apt/sources.list',
  );
  await expect(runner.packages.install(['no-such-package'])).rejects.toMatchObject({
    code: 'PACKAGE_REPOSITORY_UNREACHABLE',
    message: expect.stringContaining('127.0.0.1'),
  });
  await scriptOn(machine, 'mv /etc/apt/sources.away /etc/apt/sources.list');
});

it('reports a crash-looping service as failed, with its output', async () => {
  await runner.write({
    path: '/etc/systemd/system/crash.service',
    content:
      '[Service]\nExecStart=/bin/sh -c "echo no such port >&2; sleep 0.4; exit 3"\nRestart=always\nRestartSec=200ms\n',
    mode: 0o644,
    owner: 'root:root',
  });
  await runner.services.reload();
  await expect(runner.services.start('crash.service')).rejects.toMatchObject({
    code: 'SERVICE_FAILED',
    message: expect.stringContaining('no such port'),
  });
  expect((await runner.services.state('crash.service')).active).toBe(false);
  await runner.services.stop('crash.service');
});
