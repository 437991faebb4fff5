import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mirrorPaths } from '../src/lab/mirror/paths.ts';
import { readRecords } from '../src/lab/mirror/records.ts';
import { writeResults } from './results.ts';

/**
 * Build time of a lab mirror for one Kubernetes version, from source and with the seed if there is one. With a folder as
 * argument, an interrupted build from source can be resumed.
 */
const VERSION = '1.36.3';
const [sourceFolder] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'kubexm-bench-'));
try {
  const source = await build(sourceFolder ?? join(folder, 'source'), '');
  const seed = process.env['KUBEXM_LAB_SEED'] ?? '';
  const seeded = seed === '' ? undefined : await build(join(folder, 'seeded'), seed);
  const columns = [
    { title: 'from source, s', built: source },
    ...(seeded ? [{ title: 'with the seed, s', built: seeded }] : []),
  ];
  const row = (name: string, cells: readonly number[]) =>
    `| ${[name, ...cells.map((seconds) => seconds.toFixed(1))].join(' | ')} |`;
  writeResults('mirror', [
    `Everything that a cluster of Kubernetes ${VERSION} downloads, on ${cpus().length} cores; load average over 15 minutes ${loadavg()[2]?.toFixed(1)}.\n`,
    `| ${['component', ...columns.map(({ title }) => title)].join(' | ')} |`,
    `| ${['---', ...columns.map(() => '---')].join(' | ')} |`,
    ...source.components.map(({ name }) =>
      row(
        name,
        columns.map(({ built }) => built.components.find((one) => one.name === name)?.seconds ?? 0),
      ),
    ),
    // Components are built side by side.
    row(
      'all',
      columns.map(({ built }) => built.seconds),
    ),
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Built {
  readonly components: readonly { readonly name: string; readonly seconds: number }[];
  readonly seconds: number;
}

async function build(dir: string, seed: string): Promise<Built> {
  const env = { ...process.env, KUBEXM_LAB_SEED: seed, KUBEXM_HOME: join(folder, 'home') };
  const args = ['lab', 'mirror', 'build', '--versions', VERSION, '--dir', dir];
  const start = performance.now();
  execFileSync(resolve('bin/kubexm'), args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const seconds = (performance.now() - start) / 1000;
  const records = await readRecords(mirrorPaths(dir));
  return {
    components: records.map(({ name, version, seconds }) => ({ name: `${name} ${version}`, seconds })),
    seconds,
  };
}
