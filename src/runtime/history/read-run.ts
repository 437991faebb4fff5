import { stat } from 'node:fs/promises';
import { KubexmError } from '../../common/errors/errors.ts';
import { lockHolder } from '../../engine/lock/local-lock.ts';
import { isDead } from '../../engine/lock/holder.ts';
import { readJournal } from '../../engine/journal/read-journal.ts';
import type { JournalRecord } from '../../engine/journal/record.ts';
import { lockFolder, readRunInfo, runPaths, type RunInfo, type RunPaths } from '../../state/runs.ts';

/** The outcome of a run; `died` means it stopped without recording an outcome, `damaged` that its journal is corrupt. */
export type RunStatus = 'done' | 'partial' | 'failed' | 'interrupted' | 'running' | 'died' | 'damaged';

/** The state of a step. Part of the JSON output: `aside` means that its host was quarantined, `begun` that it did not finish. */
export type StepStatus = 'done' | 'skipped' | 'failed' | 'aside' | 'undone' | 'begun';

/** One step on one host, from the journal. */
export interface StepRecord {
  readonly node: string;
  readonly host: string;
  readonly status: StepStatus;
  readonly ms: number;
  /** Error code; empty if the step did not fail. */
  readonly code: string;
}

/** A run, read from its folder. */
export interface RunRecord {
  readonly id: string;
  readonly cluster: string;
  readonly paths: RunPaths;
  readonly pipeline: string;
  /** Undefined if the run was killed before it was written. */
  readonly info: RunInfo | undefined;
  readonly status: RunStatus;
  readonly started: Date | undefined;
  /** The start of each resumption. */
  readonly resumed: readonly Date[];
  /** The end of the run; the current time while it is running, the time of its last journal record if it died. */
  readonly ended: Date | undefined;
  readonly steps: readonly StepRecord[];
  /** Whether it changed hosts or may have done so. */
  readonly changed: boolean;
  /** The error that prevents reading the whole journal. */
  readonly damage: KubexmError | undefined;
}

/** Reads a run from its folder. Writes nothing. */
export async function readRun(workdir: string, cluster: string, id: string): Promise<RunRecord> {
  const paths = runPaths(workdir, cluster, id);
  // Checked before reading the journal, so that a run that ends in between is not reported as died.
  const live = await isRunning(workdir, cluster, id);
  const info = await readRunInfo(paths);
  const progress = newProgress();
  const damage = await readJournal(paths.journal, (record) => applyRecord(progress, record)).then(
    () => undefined,
    damageOf,
  );
  const status = damage ? 'damaged' : (progress.outcome ?? (live ? 'running' : 'died'));
  return {
    id,
    cluster,
    paths,
    pipeline: progress.pipeline ?? info?.pipeline ?? 'unknown',
    info,
    status,
    started: progress.started ?? dateOf(info?.started),
    resumed: progress.resumed,
    ended: progress.ended ?? (status === 'running' ? new Date() : await lastWrite(paths)),
    steps: [...progress.steps.values()],
    changed: progress.changed || damage !== undefined,
    damage,
  };
}

/** Damage is reported per run, so that one corrupt journal does not break the list of runs. */
function damageOf(error: unknown): KubexmError {
  if (error instanceof KubexmError && error.code === 'JOURNAL_INVALID') return error;
  throw error;
}

/** Whether a live process holds the cluster lock for this run, on this machine or on another one that shares the folder. */
export async function isRunning(workdir: string, cluster: string, id: string): Promise<boolean> {
  const holder = await lockHolder(lockFolder(workdir, cluster));
  return holder?.run === id && !isDead(holder);
}

interface Progress {
  pipeline: string | undefined;
  started: Date | undefined;
  readonly resumed: Date[];
  ended: Date | undefined;
  outcome: RunStatus | undefined;
  changed: boolean;
  readonly steps: Map<string, StepRecord>;
}

const newProgress = (): Progress => ({
  pipeline: undefined,
  started: undefined,
  resumed: [],
  ended: undefined,
  outcome: undefined,
  changed: false,
  steps: new Map(),
});

function applyRecord(progress: Progress, record: JournalRecord): void {
  const set = (node: string, status: StepStatus, ms = 0, code = '') =>
    void progress.steps.set(node, { node, host: node.slice(node.lastIndexOf('@') + 1), status, ms, code });
  switch (record.type) {
    case 'begun':
    case 'resumed':
      return startOver(progress, record);
    case 'source':
    case 'host':
      return;
    case 'change':
      progress.changed = true;
      return set(record.node, 'begun');
    case 'done':
      return set(record.node, 'done', record.ms);
    case 'skipped':
      return set(record.node, 'skipped');
    case 'failed':
      return set(record.node, 'failed', 0, record.code);
    case 'quarantined':
      return set(record.node, 'aside', 0, record.code);
    case 'undoing':
      return;
    case 'undone':
      // A failed step is still reported as failed after its rollback.
      if (progress.steps.get(record.node)?.status !== 'failed') set(record.node, 'undone');
      return;
    case 'ended':
      progress.ended = dateOf(record.at);
      progress.outcome = outcomeOf(record.outcome);
  }
}

/** On start and resume, drops earlier failures, because those steps will be tried again. */
function startOver(progress: Progress, record: Extract<JournalRecord, { readonly fence: number }>): void {
  const at = dateOf(record.at);
  progress.pipeline = record.pipeline;
  progress.outcome = undefined;
  progress.ended = undefined;
  if (record.type === 'begun') progress.started = at;
  else if (at) progress.resumed.push(at);
  for (const { node, status } of progress.steps.values())
    if (status === 'failed' || status === 'aside' || status === 'undone') progress.steps.delete(node);
}

const outcomeOf = (text: string): RunStatus => OUTCOMES.find((outcome) => outcome === text) ?? 'failed';
const OUTCOMES = ['done', 'partial', 'failed', 'interrupted'] as const;

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const lastWrite = ({ journal }: RunPaths) =>
  stat(journal).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
