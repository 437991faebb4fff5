import { readFile, stat } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bootId } from '../../src/lab/fault/reboot.ts';
import { tryOnMachine } from '../../src/lab/machine/machine.ts';
import { run, tryRun } from '../../src/lab/run.ts';
import { labStatus } from '../../src/lab/status.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const names = { one: named('one'), two: named('two') };
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name: names.one, machines: 3 });
});

describe('a lab of three machines', () => {
  test('each machine runs systemd and is reachable over SSH', async () => {
    for (const { name } of lab.machines) {
      expect(await sshText(lab, name, 'systemctl is-system-running')).toBe('running');
      expect(await sshText(lab, name, 'hostname')).toBe(name);
      expect(await sshText(lab, name, 'ps -o comm= -p 1')).toBe('systemd');
    }
  });

  test('each machine has its own machine ID, host keys and boot ID', async () => {
    const printIds =
      'cat /etc/machine-id /proc/sys/kernel/random/boot_id /etc/ssh/ssh_host_ed25519_key.pub | cut -d" " -f1,2';
    const ids = await Promise.all(lab.machines.map(({ name }) => sshText(lab, name, printIds)));
    expect(new Set(ids.flatMap((text) => text.split('\n'))).size).toBe(9);
  });

  test('status shows every machine with its address and memory', async () => {
    const [status] = await labStatus(names.one);
    expect(status?.machines.map(({ name, state, systemd, faults }) => ({ name, state, systemd, faults }))).toEqual(
      ['node1', 'node2', 'node3'].map((name) => ({ name, state: 'running', systemd: 'running', faults: [] })),
    );
    for (const { memoryBytes, address } of status?.machines ?? []) {
      expect(memoryBytes).toBeGreaterThan(1e6);
      expect(address).toMatch(/^10\.177\.\d+\.1\d$/);
    }
  });

  test('the cluster file lists the machines with their keys and host keys', async () => {
    const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
    const known = await readFile(lab.paths.knownHosts, 'utf8');
    expect(cluster.metadata.name).toBe(names.one);
    expect(cluster.spec.roleGroups).toEqual({ etcd: ['node1'], master: ['node1'], worker: ['node2', 'node3'] });
    expect(cluster.spec.hosts).toHaveLength(3);
    for (const host of cluster.spec.hosts) {
      expect(known).toContain(`${host.address} ${host.hostKey}\n`);
      expect((await stat(host.privateKeyPath)).mode & 0o777).toBe(0o600);
    }
    expect((await stat(lab.paths.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(lab.paths.cluster)).mode & 0o777).toBe(0o600);
  });

  test('packages can be installed with apt', async () => {
    const { exit, stdout, stderr } = await ssh(
      lab,
      'node1',
      'apt-get update && apt-get install -y --no-install-recommends hello && hello',
    );
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain('Hello, world!');
  });

  test('a machine cannot set the clock of this computer', async () => {
    expect((await ssh(lab, 'node1', 'date -s "$(date)"')).exit).not.toBe(0);
    const [machine] = lab.machines;
    expect((await tryOnMachine(machine!, ['sh', '-c', 'date -s "$(date)"'])).exit).not.toBe(0);
  });

  test('a machine does not see the disks and swap of this computer', async () => {
    expect(await sshText(lab, 'node1', 'find /dev -type b ! -name "loop*"; tail -n +2 /proc/swaps')).toBe('');
  });

  test('a second up changes nothing, and up with other options fails', async () => {
    const before = await Promise.all(lab.machines.map(bootId));
    const again = await labUp({ name: names.one, machines: 3 });
    expect(again.machines).toEqual(lab.machines);
    expect(await Promise.all(lab.machines.map(bootId))).toEqual(before);
    await expect(labUp({ name: names.one, machines: 4 })).rejects.toMatchObject({ code: 'LAB_DIFFERS' });
  });

  test('up restarts killed machines, recreates removed ones, and leaves the others running', async () => {
    const [first, second, third] = lab.machines;
    const before = await bootId(first!);
    await run(['podman', 'kill', second!.container]);
    await run(['podman', 'rm', '--force', '--time', '0', third!.container]);
    await labUp({ name: names.one, machines: 3 });
    expect(await bootId(first!)).toBe(before);
    for (const { name } of lab.machines)
      expect(await sshText(lab, name, 'systemctl is-system-running')).toBe('running');
  });
});

describe('two labs side by side', () => {
  let other: Lab;
  beforeAll(async () => {
    other = await labUp({ name: names.two, machines: 1 });
  });

  test('both are reachable', async () => {
    expect(await sshText(lab, 'node1', 'hostname')).toBe('node1');
    expect(await sshText(other, 'node1', 'hostname')).toBe('node1');
  });

  test('a machine reaches its own lab, but neither the other lab nor private addresses', async () => {
    const connect = (address: string, seconds = 3) =>
      ssh(lab, 'node1', `timeout ${seconds} bash -c '</dev/tcp/${address}/22'`);
    expect((await connect(lab.machines[1]!.address, 60)).exit).toBe(0);
    for (const address of [other.machines[0]!.address, '10.99.99.99', '172.20.0.1', '192.168.55.1', '100.64.9.9']) {
      expect((await connect(address)).exit, address).not.toBe(0);
    }
  });

  test('the isolation does not depend on the routes of this computer', async () => {
    const bridge = (
      await run(['podman', 'network', 'inspect', '--format', '{{.NetworkInterface}}', `kubexm-${names.one}`])
    ).trim();
    const route = (to: string) => tryRun(['ip', 'route', 'get', to, 'from', lab.machines[0]!.address, 'iif', bridge]);
    // A route lookup only; no packet is sent.
    for (const to of ['169.254.10.10', '10.1.2.3', other.machines[0]!.address])
      expect((await route(to)).exit, to).not.toBe(0);
    expect((await route(lab.machines[1]!.address)).exit).toBe(0);
  });
});
