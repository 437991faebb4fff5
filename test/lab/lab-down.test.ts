import { rm } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { faults } from '../../src/lab/fault/faults.ts';
import { labDown } from '../../src/lab/down.ts';
import { findLabs } from '../../src/lab/labs.ts';
import { run } from '../../src/lab/run.ts';
import { labUp } from '../../src/lab/up.ts';
import { expectTraces, labNames, sshText, traces } from './support.ts';

const named = await labNames();
const names = { removed: named('gone'), kept: named('stays') };
let before: Awaited<ReturnType<typeof traces>>;
beforeEach(async () => {
  before = await traces();
});

test('down leaves nothing behind even if machines have faults, and is idempotent', async () => {
  const lab = await labUp({ name: names.removed, machines: 3, disk: '64M', jump: true });
  const [, cut, paused, killed] = lab.machines;
  await faults.cut.apply(cut!);
  await faults.fullDisk.apply(cut!);
  await faults.pause.apply(paused!);
  await faults.kill.apply(killed!);
  const loops = (await run(['losetup', '--list', '--noheadings', '--output', 'BACK-FILE'])).split('\n');
  expect(loops.filter((file) => file.includes(`/${names.removed}/`))).toHaveLength(3);
  expect(await labDown(names.removed)).toEqual({ existed: true, machines: 4 });
  await expectTraces(before);
  expect(await labDown(names.removed)).toEqual({ existed: false, machines: 0 });
  await expectTraces(before);
});

test('down removes the remains of a crashed lab and does not touch other labs', async () => {
  const other = await labUp({ name: names.kept, machines: 1 });
  const withOther = await traces();
  const lab = await labUp({ name: names.removed, machines: 2, disk: '64M' });
  await rm(lab.paths.folder, { recursive: true });
  await run(['podman', 'kill', lab.machines[0]!.container]);
  await run(['podman', 'rm', '--force', '--time', '0', lab.machines[1]!.container]);
  await run(['podman', 'network', 'rm', '--force', `kubexm-${names.removed}`]);
  await labDown(names.removed);
  await expectTraces(withOther);
  expect(await sshText(other, 'node1', 'systemctl is-system-running')).toBe('running');
  await labDown(names.kept);
  await expectTraces(before);
});

test('an interrupted up removes everything it created', async () => {
  for (const task of ['Starting', 'Waiting']) {
    const stop = new AbortController();
    const up = labUp(
      { name: names.removed, machines: 2 },
      (progress) => progress.task.startsWith(task) && stop.abort(),
      stop.signal,
    );
    await expect(up).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(await findLabs()).not.toContain(names.removed);
    await expectTraces(before);
  }
});
