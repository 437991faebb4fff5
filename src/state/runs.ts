import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sanitizeStrings } from '../common/sanitize.ts';
import { writeFileAtomically } from '../util/write-file.ts';

/** The files of a run. */
export interface RunPaths {
  readonly folder: string;
  readonly journal: string;
  readonly log: string;
  readonly plan: string;
  readonly info: string;
}

/** Metadata of a run, kept next to its journal. */
export interface RunInfo {
  readonly id: string;
  readonly cluster: string;
  /** "create-cluster" */
  readonly pipeline: string;
  /** "create cluster", "run task prepare-os" */
  readonly command: string;
  /** The selected part of the plan: "--nodes node1", empty for all; undefined in runs of older versions. */
  readonly selection?: string;
  /** The command line without secrets. */
  readonly line: string;
  /** "ada@desk" */
  readonly owner: string;
  readonly pid: number;
  /** kubexm version. */
  readonly version: string;
  /** ISO 8601. */
  readonly started: string;
  /** Number of steps of each host. */
  readonly hosts: Readonly<Record<string, number>>;
  /** The command that resumes the run. */
  readonly goOn: string;
}

/** The folder of a cluster in a working directory. */
export const clusterFolder = (workdir: string, cluster: string) => join(workdir, '.kubexm', cluster);

export const lockFolder = (workdir: string, cluster: string) => join(clusterFolder(workdir, cluster), 'lock');

/** The event database, shared by all clusters of a working directory. */
export const eventsPath = (workdir: string) => join(workdir, '.kubexm', 'kubexm.db');

export function runPaths(workdir: string, cluster: string, run: string): RunPaths {
  const folder = join(clusterFolder(workdir, cluster), 'runs', run);
  return Object.freeze({
    folder,
    journal: join(folder, 'journal.jsonl'),
    log: join(folder, 'log.jsonl'),
    plan: join(folder, 'plan.txt'),
    info: join(folder, 'run.json'),
  });
}

/** "20261117-101402-3f9a": sorts by time; the suffix distinguishes runs of the same second. */
export const newRunId = (now = new Date()): string =>
  `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(2).toString('hex')}`;

/** The run ids of a cluster, newest first. */
export async function listRuns(workdir: string, cluster: string): Promise<readonly string[]> {
  const names = await readdir(join(clusterFolder(workdir, cluster), 'runs')).catch(() => []);
  return names
    .filter((name) => /^\d{8}-\d{6}-[0-9a-f]{4}$/.test(name))
    .sort()
    .toReversed();
}

export const writeRunInfo = ({ info: path }: RunPaths, info: RunInfo): Promise<void> =>
  writeFileAtomically(path, `${JSON.stringify(info, sanitizeStrings, 2)}\n`, 0o600);

/** Undefined if it is missing or truncated: a run that was killed early still has its journal. */
export async function readRunInfo({ info: path }: RunPaths): Promise<RunInfo | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isRunInfo(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRunInfo = (value: unknown): value is RunInfo =>
  typeof value === 'object' &&
  value !== null &&
  STRING_FIELDS.every((key) => typeof Reflect.get(value, key) === 'string') &&
  typeof Reflect.get(value, 'hosts') === 'object';

const STRING_FIELDS = ['id', 'cluster', 'pipeline', 'command', 'line', 'owner', 'version', 'started', 'goOn'];
