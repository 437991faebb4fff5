import { expect, test } from 'vitest';
import { labDown } from '../../src/lab/down.ts';
import { ensureImage } from '../../src/lab/image/build.ts';
import { labStatus } from '../../src/lab/status.ts';
import { labUp } from '../../src/lab/up.ts';
import { expectTraces, labNames, sshText, traces } from '../lab/support.ts';

const named = await labNames();
const names = { ten: named('ten') };

test('ten machines boot from a cached image, are reachable over SSH, and are removed completely', async () => {
  await ensureImage(() => {});
  const before = await traces();
  const lab = await labUp({ name: names.ten, machines: 10 });
  const [status] = await labStatus(names.ten);
  const memory = status?.machines.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) ?? 0;
  console.log(`10 machines up in ${lab.seconds.toFixed(1)} s, ${Math.round(memory / 1e6)} MB`);
  const states = await Promise.all(lab.machines.map(({ name }) => sshText(lab, name, 'systemctl is-system-running')));
  expect(states).toEqual(Array.from({ length: 10 }, () => 'running'));
  await labDown(names.ten);
  await expectTraces(before);
});
