import { labDown } from '../src/lab/down.ts';
import { ensureImage } from '../src/lab/image/build.ts';
import { labStatus } from '../src/lab/status.ts';
import { labUp } from '../src/lab/up.ts';
import { writeResults } from './results.ts';

/** Time until lab machines accept SSH connections, and their memory usage. */
const NAME = 'bench';
const rows: string[] = [];
await ensureImage(() => {});
for (const count of [1, 3, 10]) {
  try {
    const { seconds } = await labUp({ name: NAME, machines: count });
    const machines = (await labStatus(NAME)).flatMap((lab) => lab.machines);
    const bytes = machines.reduce((total, { memoryBytes }) => total + memoryBytes, 0);
    const before = Date.now();
    await labDown(NAME);
    rows.push(
      `| ${count} | ${seconds.toFixed(1)} | ${Math.round(bytes / 1e6)} | ${((Date.now() - before) / 1000).toFixed(1)} |`,
    );
  } finally {
    await labDown(NAME).catch(() => {});
  }
}
writeResults('lab', [
  '| machines | until SSH works, s | memory MB | removal, s |',
  '| --- | --- | --- | --- |',
  ...rows,
]);
