import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeResults } from './results.ts';

/** How much longer `kubexm version` takes than a Node script that does nothing. Taken in turns, so that noise hits both. */
const RUNS = 41;
const BAR = 1.5;

const folder = mkdtempSync(join(tmpdir(), 'kubexm-startup-'));
const nothing = join(folder, 'empty.mjs');
writeFileSync(nothing, '');

const samples = { empty: [] as number[], bundle: [] as number[], launcher: [] as number[] };
for (let run = 0; run < RUNS; run++) {
  samples.empty.push(time('node', [nothing]));
  samples.bundle.push(time('node', ['dist/kubexm.mjs', 'version']));
  samples.launcher.push(time('bin/kubexm', ['version']));
}
rmSync(folder, { recursive: true });

const [empty, bundle, launcher] = [samples.empty, samples.bundle, samples.launcher].map(summary);
const ratio = launcher!.median / empty!.median;
writeResults('startup', [
  '| program | min ms | median ms | against empty |',
  '| --- | --- | --- | --- |',
  row('empty Node script', empty!),
  row('node dist/kubexm.mjs version', bundle!),
  row('bin/kubexm version', launcher!),
  '',
  `Bar: within ${BAR} times an empty script. ${ratio <= BAR ? 'Met' : 'Not met'}: ${ratio.toFixed(2)}.`,
]);
process.exitCode = ratio <= BAR ? 0 : 1;

function time(program: string, args: readonly string[]): number {
  // NODE_EXTRA_CA_CERTS costs every Node 20 some 50 ms and would hide the difference.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const start = process.hrtime.bigint();
  const { status } = spawnSync(program, args, { env, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function summary(values: readonly number[]): { readonly min: number; readonly median: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[sorted.length >> 1]! };
}

function row(name: string, { min, median }: { readonly min: number; readonly median: number }): string {
  return `| ${name} | ${min.toFixed(1)} | ${median.toFixed(1)} | ${(median / empty!.median).toFixed(2)} |`;
}
