import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { kubexm, type Called } from '../fast/cli/kubexm.ts';
import { labNames } from '../lab/support.ts';

// The container runtime has its own tests.
const HOSTS_ONLY = ['--tags', 'check-hosts,infrastructure'];
const named = await labNames();
const names = { preflight: named('pf') };
let lab: Lab;
let file: string;

beforeAll(async () => {
  lab = await labUp({ name: names.preflight, machines: 3 });
  const cluster = parse(await readFile(lab.paths.cluster, 'utf8'));
  for (const host of cluster.spec.hosts) host.timeout = '5s';
  file = join(lab.paths.folder, 'short.yaml');
  await writeFile(file, stringify(cluster));
});

afterEach(async () => {
  for (const machine of lab.machines) await clearFaults(machine);
});

const machine = (name: string): Machine => lab.machines.find((each) => each.name === name)!;
const env = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']! });
const call = (...args: readonly string[]): Promise<Called> => kubexm([...args, '--workdir', lab.paths.folder], env());

const listeners = (name: string) => scriptOn(machine(name), "ss -Hlnt | awk '{print $4}' | grep -v ':22$' || true");

/** Starts a check that waits for a hanging host, and kills it while the other hosts have listeners open. */
async function killCheck(): Promise<void> {
  await faults.pause.apply(machine('node3'));
  const args = ['check', 'hosts', '-f', file, '-e', 'hosts.node3.timeout=25s', '--workdir', lab.paths.folder];
  const child = spawn(resolve('bin/kubexm'), args, {
    env: { ...process.env, ...env() },
    stdio: 'ignore',
    detached: true,
  });
  await expect.poll(() => listeners('node1'), { timeout: 30_000, interval: 200 }).toContain(':6443');
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
  expect(await listeners('node1')).toContain(':6443');
}

test('listeners of a killed check are closed after a while', { timeout: 180_000 }, async () => {
  await killCheck();
  await expect.poll(() => listeners('node1'), { timeout: 120_000, interval: 2000 }).toBe('');
});

test('listeners of a killed check do not affect the next check', async () => {
  await killCheck();
  await clearFaults(machine('node3'));
  const { stdout, exit } = await call('check', 'hosts', '-f', file);
  expect(stdout).not.toMatch(/PF8|PF12/);
  expect(exit).toBe(0);
  await expect.poll(() => listeners('node1'), { timeout: 20_000 }).toBe('');
});

test('an unreachable worker is quarantined; an unreachable master aborts the run before anything is changed', async () => {
  await faults.cut.apply(machine('node3'));
  const some = await call('create', 'cluster', '-f', file, ...HOSTS_ONLY);
  expect(some.stderr).toContain('warning PF1 node3: node3 is unreachable');
  expect(some.exit, some.stderr).toBe(3);
  await clearFaults(machine('node3'));
  expect((await call('delete', 'cluster', '-f', file, '--yes')).exit).toBe(0);

  await faults.cut.apply(machine('node1'));
  const none = await call('create', 'cluster', '-f', file, ...HOSTS_ONLY);
  expect(none.stderr).toMatch(/error +PF1 +node1\n +found +node1 is unreachable/);
  expect(none.exit).toBe(10);
  expect(await scriptOn(machine('node2'), 'ls /etc/sysctl.d/99-zz-kubexm.conf 2>/dev/null || echo none')).toBe(
    'none\n',
  );
});

test('hosts that belong to the same cluster pass the checks', async () => {
  expect((await call('create', 'cluster', '-f', file, ...HOSTS_ONLY)).exit).toBe(0);
  await scriptOn(
    machine('node1'),
    `mkdir -p /etc/kubernetes && touch /etc/kubernetes/admin.conf
systemd-run -q --unit api socat TCP-LISTEN:6443,fork,reuseaddr SYSTEM:cat`,
  );
  const { exit, stdout } = await call('check', 'hosts', '-f', file);
  expect(stdout).not.toMatch(/PF7|PF8|PF12/);
  expect(exit).toBe(0);
  const other = await call('check', 'hosts', '-f', file, '-e', 'metadata.name=another');
  expect(other.stdout).toContain(`kubexm delete cluster -c ${names.preflight}`);
  expect(other.stdout).toMatch(/error +PF8 +node1/);
});

test('reports a disk that is too slow for etcd with the measured latency', async () => {
  await faults.slowDisk.apply(machine('node1'), { writes: 4 });
  const { exit, stdout } = await call('check', 'hosts', '-f', file);
  expect(stdout).toMatch(/error +PF17 +node1\n +found +latency of synced writes in \/var\/lib\/etcd: p99 \d+\.\d ms/);
  expect(stdout).not.toMatch(/PF17 +node2/);
  expect(exit).toBe(10);
  await faults.slowDisk.clear(machine('node1'));
});

test('reports the findings even if no host is reachable', async () => {
  for (const each of lab.machines) await faults.cut.apply(each);
  const { exit, stdout } = await call('check', 'hosts', '-f', file);
  expect(stdout.match(/^error +PF1/gm)).toHaveLength(3);
  expect(exit).toBe(10);
});
