import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { awaitMachines } from '../../src/lab/machine/wait.ts';
import { bootId } from '../../src/lab/fault/reboot.ts';
import { activeFaults, clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { machineState, onMachine, scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const names = { bad: named('bad') };
let lab: Lab;
let machine: Machine;
let peer: Machine;
beforeAll(async () => {
  lab = await labUp({ name: names.bad, machines: 3 });
  machine = lab.machines[1]!;
  peer = lab.machines[2]!;
});
afterEach(async () => {
  await clearFaults(machine);
  await awaitMachines([machine], lab.paths);
  expect(await activeFaults(machine)).toEqual([]);
});

const reachable = async (from = 'node1', seconds = 60) =>
  (await ssh(lab, from, `timeout ${seconds} bash -c '</dev/tcp/${machine.address}/22'`)).exit === 0;
const sshWorks = async (seconds = 60) =>
  (await ssh(lab, 'node2', 'true', '-o', `ConnectTimeout=${seconds}`)).exit === 0;

test('cut drops all packets until cleared, and is idempotent', async () => {
  await faults.cut.apply(machine);
  await faults.cut.apply(machine);
  expect(await activeFaults(machine)).toEqual(['cut']);
  expect(await reachable('node1', 3)).toBe(false);
  await faults.cut.clear(machine);
  await faults.cut.clear(machine);
  expect(await reachable()).toBe(true);
});

test('cut of SSH leaves other traffic alone', async () => {
  await faults.cut.apply(machine, { what: 'ssh' });
  expect(await sshWorks(3)).toBe(false);
  expect((await ssh(lab, 'node1', `ping -c 1 -W 3 ${machine.address}`)).exit).toBe(0);
});

test('cut from one peer leaves other peers alone', async () => {
  await faults.cut.apply(machine, { peer: peer.address });
  expect(await reachable('node3', 3)).toBe(false);
  expect(await reachable('node1')).toBe(true);
});

test('reset kills open sessions and accepts new ones', async () => {
  const session = ssh(lab, 'node2', 'touch /run/session-runs; sleep 600');
  await until(
    async () => (await onMachine(machine, ['find', '/run', '-maxdepth', '1', '-name', 'session-runs'])) !== '',
  );
  await faults.reset.apply(machine);
  expect((await session).exit).toBe(255);
  expect(await sshWorks()).toBe(true);
});

test('delay slows SSH down', async () => {
  const normal = Math.min(
    await millisecondsOf(sshWorks),
    await millisecondsOf(sshWorks),
    await millisecondsOf(sshWorks),
  );
  await faults.delay.apply(machine, { milliseconds: 400 });
  expect(await activeFaults(machine)).toEqual(['delay 400ms']);
  expect(await millisecondsOf(sshWorks)).toBeGreaterThan(normal + 1000);
  const text = 'x'.repeat(200_000);
  expect((await sshText(lab, 'node2', `head -c 200000 /dev/zero | tr '\\0' x`)).length).toBe(text.length);
  await faults.delay.clear(machine);
  expect(await sshWorks()).toBe(true);
});

test('loss drops about the requested percentage of packets', async () => {
  await faults.loss.apply(machine, { percent: 50 });
  expect(await activeFaults(machine)).toEqual(['loss 50%']);
  const { stdout } = await ssh(lab, 'node1', `ping -q -i 0.01 -c 300 -W 1 ${machine.address}`);
  const lost = Number(/([\d.]+)% packet loss/.exec(stdout)?.[1]);
  // nftables drops packets in both directions, netem in one.
  expect(lost).toBeGreaterThan(35);
  expect(lost).toBeLessThan(90);
});

test('slow-disk throttles synced writes', async () => {
  const writes = (flag: string) =>
    millisecondsOf(async () => {
      await scriptOn(
        machine,
        `dd if=/dev/zero of=/var/tmp/written bs=512 count=10 ${flag} 2>/dev/null; rm /var/tmp/written`,
      );
      return true;
    });
  await faults.slowDisk.apply(machine, { writes: 5 });
  expect(await activeFaults(machine)).toEqual(['slow-disk 5 writes/s']);
  expect(await writes('oflag=dsync')).toBeGreaterThan(1500);
  await faults.slowDisk.clear(machine);
  expect(await activeFaults(machine)).toEqual([]);
});

test('pause freezes a machine until cleared', async () => {
  const before = await bootId(machine);
  await faults.pause.apply(machine);
  await faults.pause.apply(machine);
  expect(await activeFaults(machine)).toEqual(['pause']);
  expect(await sshWorks(3)).toBe(false);
  await expect(faults.loss.apply(machine)).rejects.toMatchObject({ code: 'LAB_MACHINE_DOWN' });
  await faults.pause.clear(machine);
  await faults.pause.clear(machine);
  expect(await sshWorks()).toBe(true);
  expect(await bootId(machine)).toBe(before);
});

test('kill powers off a machine, and clear boots it again', async () => {
  const before = await bootId(machine);
  await faults.kill.apply(machine);
  await faults.kill.apply(machine);
  expect(await activeFaults(machine)).toEqual(['kill']);
  expect(await sshWorks(3)).toBe(false);
  await faults.kill.clear(machine);
  expect(await sshWorks()).toBe(true);
  expect(await bootId(machine)).not.toBe(before);
});

test.each([{ hard: false }, { hard: true }])(
  'reboot changes the boot ID and keeps files, hard: $hard',
  async (options) => {
    const before = await bootId(machine);
    await sshText(lab, 'node2', 'echo kept >/etc/kept; echo "10.0.0.1 kept" >>/etc/hosts; sync');
    await faults.reboot.apply(machine, options);
    await awaitMachines([machine], lab.paths);
    expect(await bootId(machine)).not.toBe(before);
    expect(await sshText(lab, 'node2', 'cat /etc/kept; grep -c kept /etc/hosts >/dev/null && echo hosts')).toBe(
      'kept\nhosts',
    );
  },
);

test('reboot and poweroff work over SSH', async () => {
  const before = await bootId(machine);
  await ssh(lab, 'node2', 'systemctl reboot');
  await until(
    async () =>
      (await ssh(lab, 'node2', 'cat /proc/sys/kernel/random/boot_id')).stdout.trim().length > 30 &&
      (await bootId(machine)) !== before,
  );
  await awaitMachines([machine], lab.paths);
  await ssh(lab, 'node2', 'systemctl poweroff');
  await until(async () => (await machineState(machine)) === 'stopped');
});

test('full-disk fills a directory and keeps its files readable', async () => {
  await sshText(lab, 'node2', 'mkdir -p /opt/data && echo old >/opt/data/file');
  await faults.fullDisk.apply(machine, { directory: '/opt/data' });
  await faults.fullDisk.apply(machine, { directory: '/opt/data' });
  expect(await activeFaults(machine)).toEqual(['full-disk /opt/data']);
  const { stderr } = await ssh(lab, 'node2', 'dd if=/dev/zero of=/opt/data/new bs=64k count=1');
  expect(stderr).toContain('No space left on device');
  expect(await sshText(lab, 'node2', 'cat /opt/data/file')).toBe('old');
  await faults.fullDisk.clear(machine);
  expect(await sshText(lab, 'node2', 'echo new >/opt/data/new && ls /opt/data')).toBe('file\nnew');
});

test('dpkg-lock blocks apt', async () => {
  const install = () =>
    ssh(lab, 'node2', 'apt-get install -y --reinstall -o DPkg::Lock::Timeout=0 --simulate=false --no-download hello');
  await faults.dpkgLock.apply(machine);
  await faults.dpkgLock.apply(machine);
  expect(await activeFaults(machine)).toEqual(['dpkg-lock']);
  expect((await install()).stderr).toContain('Could not get lock /var/lib/dpkg/lock-frontend');
  await faults.dpkgLock.clear(machine);
  expect((await install()).stderr).not.toContain('Could not get lock');
});

test('clock shifts the time for programs run over SSH', async () => {
  await faults.clock.apply(machine, { offset: '-90m' });
  expect(await activeFaults(machine)).toEqual(['clock -90m']);
  const wrong = Number(await sshText(lab, 'node2', 'date +%s'));
  expect(Math.abs(wrong - Date.now() / 1000 + 90 * 60)).toBeLessThan(120);
  await faults.clock.clear(machine);
  expect(Math.abs(Number(await sshText(lab, 'node2', 'date +%s')) - Date.now() / 1000)).toBeLessThan(120);
});

async function millisecondsOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let pause = 100; !(await condition().catch(() => false)); pause = Math.min(pause * 1.5, 2000))
    await sleep(pause);
}
