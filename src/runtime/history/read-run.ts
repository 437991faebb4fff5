import { stat } from 'node:fs/promises';
import { KubexmError } from '../../common/errors/errors.ts';
import { holderIn } from '../../engine/lock/local-lock.ts';
import { isDead } from '../../engine/lock/holder.ts';
import { readJournal } from '../../engine/journal/read-journal.ts';
import type { JournalRecord } from '../../engine/journal/record.ts';
import { lockFolder, readRunInfo, runPaths, type RunInfo, type RunPaths } from '../../state/runs.ts';

/** How a run ended, or that it did not: under way, or dead without a word; or that its journal cannot tell any more. */
export type RunStatus = 'done' | 'partial' | 'failed' | 'interrupted' | 'running' | 'died' | 'damaged';

/** How a step of a run stands. */
export type StepStatus = 'done' | 'skipped' | 'failed' | 'aside' | 'undone' | 'begun';

/** One step on one host, as the journal tells it. */
export interface StepRecord {
  readonly node: string;
  readonly host: string;
  readonly status: StepStatus;
  readonly ms: number;
  /** Of the error. */
  readonly code: string;
}

/** A run as its folder tells it. */
export interface RunRecord {
  readonly id: string;
  readonly cluster: string;
  readonly paths: RunPaths;
  readonly pipeline: string;
  /** Undefined when it was cut off before it was written. */
  readonly info: RunInfo | undefined;
  readonly status: RunStatus;
  readonly started: Date | undefined;
  /** When it went on, each time. */
  readonly resumed: readonly Date[];
  /** When it ended, or gave its last sign of life; of one that is under way the present. */
  readonly ended: Date | undefined;
  readonly steps: readonly StepRecord[];
  /** Whether it changed hosts, or may have. */
  readonly changed: boolean;
  /** Why its journal cannot be read to the end. */
  readonly damage: KubexmError | undefined;
}

/** Reads a run from its folder; nothing is written. */
export async function readRun(workdir: string, cluster: string, id: string): Promise<RunRecord> {
  const paths = runPaths(workdir, cluster, id);
  // Asked first: a run that ends meanwhile has its last record by the time the journal is read.
  const live = await isLive(workdir, cluster, id);
  const info = await readRunInfo(paths);
  const story = newStory();
  const damage = await readJournal(paths.journal, (record) => take(story, record)).then(() => undefined, damageOf);
  const status = damage ? 'damaged' : (story.outcome ?? (live ? 'running' : 'died'));
  return {
    id,
    cluster,
    paths,
    pipeline: story.pipeline ?? info?.pipeline ?? 'unknown',
    info,
    status,
    started: story.begun ?? dateOf(info?.started),
    resumed: story.resumed,
    ended: story.ended ?? (status === 'running' ? new Date() : await lastSign(paths)),
    steps: [...story.steps.values()],
    changed: story.changed || damage !== undefined,
    damage,
  };
}

/** Said of the one run, so that it stands in the way of no other. */
function damageOf(error: unknown): KubexmError {
  if (error instanceof KubexmError && error.code === 'JOURNAL_INVALID') return error;
  throw error;
}

/** Whether somebody holds the lock of the cluster for this run, here or wherever its folder is shared. */
export async function isLive(workdir: string, cluster: string, id: string): Promise<boolean> {
  const holder = await holderIn(lockFolder(workdir, cluster));
  return holder?.run === id && !isDead(holder);
}

interface Story {
  pipeline: string | undefined;
  begun: Date | undefined;
  readonly resumed: Date[];
  ended: Date | undefined;
  outcome: RunStatus | undefined;
  changed: boolean;
  readonly steps: Map<string, StepRecord>;
}

const newStory = (): Story => ({
  pipeline: undefined,
  begun: undefined,
  resumed: [],
  ended: undefined,
  outcome: undefined,
  changed: false,
  steps: new Map(),
});

function take(story: Story, record: JournalRecord): void {
  const set = (node: string, status: StepStatus, ms = 0, code = '') =>
    void story.steps.set(node, { node, host: node.slice(node.lastIndexOf('@') + 1), status, ms, code });
  switch (record.type) {
    case 'begun':
    case 'resumed':
      return begin(story, record);
    case 'source':
    case 'host':
      return;
    case 'change':
      story.changed = true;
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
      // What failed stays what failed, also when what it had changed was put back.
      if (story.steps.get(record.node)?.status !== 'failed') set(record.node, 'undone');
      return;
    case 'ended':
      story.ended = dateOf(record.at);
      story.outcome = outcomeOf(record.outcome);
  }
}

/** What failed before is tried again, so it is no failure of what goes on now. */
function begin(story: Story, record: Extract<JournalRecord, { readonly fence: number }>): void {
  const at = dateOf(record.at);
  story.pipeline = record.pipeline;
  story.outcome = undefined;
  story.ended = undefined;
  if (record.type === 'begun') story.begun = at;
  else if (at) story.resumed.push(at);
  for (const { node, status } of story.steps.values())
    if (status === 'failed' || status === 'aside' || status === 'undone') story.steps.delete(node);
}

const outcomeOf = (text: string): RunStatus => OUTCOMES.find((outcome) => outcome === text) ?? 'failed';
const OUTCOMES = ['done', 'partial', 'failed', 'interrupted'] as const;

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const lastSign = ({ journal }: RunPaths) =>
  stat(journal).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
