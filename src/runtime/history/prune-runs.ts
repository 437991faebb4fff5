import { rm } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import type { EventStore } from '../../engine/event/event-store.ts';
import { listRuns, readRunInfo, runPaths } from '../../state/runs.ts';

/** How much history is kept for each cluster. */
export interface HistoryLimits {
  readonly runs: number;
  readonly days: number;
}

/** The limits in KUBEXM_KEEP_RUNS and KUBEXM_KEEP_DAYS. */
export const historyLimits = (env: NodeJS.ProcessEnv = process.env): HistoryLimits => ({
  runs: limitIn(env, 'KUBEXM_KEEP_RUNS', 100),
  days: limitIn(env, 'KUBEXM_KEEP_DAYS', 365),
});

function limitIn(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw fail('USAGE', { message: `${name} must be a whole number of at least 1, not ${text}`, help: `unset ${name}` });
}

/** A cluster whose history is pruned, by a run that holds its lock. */
export interface PruneOptions {
  readonly workdir: string;
  readonly cluster: string;
  readonly limits: HistoryLimits;
  readonly events: Pick<EventStore, 'remove'> | undefined;
}

/** Removes runs beyond the limits with their journals, logs and events. */
export async function pruneRuns({ workdir, cluster, limits, events }: PruneOptions): Promise<void> {
  const runs = await prunableRuns(workdir, cluster, limits);
  events?.remove(runs);
  // Oldest first, so that an interrupted removal leaves no gaps.
  for (const run of runs.toReversed())
    await rm(runPaths(workdir, cluster, run).folder, { recursive: true, force: true });
}

/** The newest run of each command is kept, because it may be resumed. */
async function prunableRuns(workdir: string, cluster: string, limits: HistoryLimits): Promise<readonly string[]> {
  const all = await listRuns(workdir, cluster);
  const oldest = runIdDay(new Date(Date.now() - limits.days * DAY_MS));
  if (all.length <= limits.runs && all.every((run) => run >= oldest)) return [];
  const infos = await Promise.all(all.map((run) => readRunInfo(runPaths(workdir, cluster, run))));
  const commands = infos.map((info) => `${info?.pipeline} ${info?.command} ${info?.selection}`);
  return all.filter(
    (run, index) => (index >= limits.runs || run < oldest) && commands.indexOf(commands[index] ?? '') !== index,
  );
}

/** Run IDs start with the day in UTC: "20261117". */
const runIdDay = (date: Date) => date.toISOString().slice(0, 10).replaceAll('-', '');

const DAY_MS = 86_400_000;
