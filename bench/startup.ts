import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeResults } from './results.ts';

/** Duration of `kubexm version` compared with an empty Node.js script. Measured alternately, so that noise affects both. */
const RUNS = 41;
const LIMIT = 1.5;

const folder = mkdtempSync(join(tmpdir(), 'kubexm-startup-'));
const emptyScript = join(folder, 'empty.mjs');
writeFileSync(emptyScript, '');

const samples = { empty: [] as number[], bundle: [] as number[], launcher: [] as number[] };
for (let run = 0; run < RUNS; run++) {
  samples.empty.push(time('node', [emptyScript]));
  samples.bundle.push(time('node', ['dist/kubexm.mjs', 'version']));
  samples.launcher.push(time('bin/kubexm', ['version']));
}
rmSync(folder, { recursive: true });

const [empty, bundle, launcher] = [samples.empty, samples.bundle, samples.launcher].map(summary);
const ratio = launcher!.median / empty!.median;
writeResults('startup', [
  '| program | min ms | median ms | ratio |',
  '| --- | --- | --- | --- |',
  row('empty Node.js script', empty!),
  row('node dist/kubexm.mjs version', bundle!),
  row('bin/kubexm version', launcher!),
  '',
  `Limit: ${LIMIT} times an empty script. ${ratio <= LIMIT ? 'Met' : 'Not met'}: ${ratio.toFixed(2)}.`,
]);
process.exitCode = ratio <= LIMIT ? 0 : 1;

function time(program: string, args: readonly string[]): number {
  // NODE_EXTRA_CA_CERTS slows the start of Node.js 20 by 50 ms and would hide the difference.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const start = process.hrtime.bigint();
  const { status } = spawnSync(program, args, { env, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${program} exited with ${status}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function summary(values: readonly number[]): { readonly min: number; readonly median: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[sorted.length >> 1]! };
}

function row(name: string, { min, median }: { readonly min: number; readonly median: number }): string {
  return `| ${name} | ${min.toFixed(1)} | ${median.toFixed(1)} | ${(median / empty!.median).toFixed(2)} |`;
}
