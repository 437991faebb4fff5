import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../common/errors.ts';

/** Where a run keeps what it leaves behind. */
export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly log: string;
  readonly plan: string;
}

/** All that belongs to one cluster in a working directory. */
export const clusterFolder = (workdir: string, cluster: string) => join(workdir, '.kubexm', cluster);

export const lockFolder = (workdir: string, cluster: string) => join(clusterFolder(workdir, cluster), 'lock');

/** The database of events, one for all clusters of a working directory. */
export const eventsPath = (workdir: string) => join(workdir, '.kubexm', 'kubexm.db');

export function runPaths(workdir: string, cluster: string, run: string): RunPaths {
  const folder = join(clusterFolder(workdir, cluster), 'runs', run);
  return Object.freeze({
    folder,
    journal: join(folder, 'journal.jsonl'),
    log: join(folder, 'log.jsonl'),
    plan: join(folder, 'plan.txt'),
  });
}

/** "20261117-101402-3f9a": sorts by time, and two in one second differ. */
export const newRunId = (now = new Date()): string =>
  `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(2).toString('hex')}`;

/** Ids of the runs of a cluster, the newest first. */
export async function runsOf(workdir: string, cluster: string): Promise<readonly string[]> {
  const names = await readdir(join(clusterFolder(workdir, cluster), 'runs')).catch(() => []);
  return names
    .filter((name) => /^\d{8}-\d{6}-[0-9a-f]{4}$/.test(name))
    .sort()
    .toReversed();
}

/** The run that --resume goes on with. */
export async function latestRun(workdir: string, cluster: string): Promise<string> {
  const [latest] = await runsOf(workdir, cluster);
  if (latest === undefined) throw fail('RUN_NOT_FOUND', { cluster });
  return latest;
}
