import type { RunRecord, StepStatus } from '../../runtime/history/read-run.ts';

/** The number of steps in a run, by status, and its duration. */
export interface RunStatistics {
  readonly hosts: number;
  readonly total: number;
  readonly counts: Readonly<Record<StepStatus, number>>;
  readonly durationMs: number;
}

/** Computes the statistics of a run. If the run was resumed, the duration is measured from the last resume. */
export function statisticsOf({ info, steps, started, resumed, ended }: RunRecord): RunStatistics {
  const counts = { done: 0, skipped: 0, failed: 0, aside: 0, undone: 0, begun: 0 };
  for (const { status } of steps) counts[status] += 1;
  const planned = Object.values(info?.hosts ?? {});
  const from = resumed.at(-1) ?? started;
  return {
    hosts: planned.length || new Set(steps.map(({ host }) => host)).size,
    total: planned.reduce((sum, count) => sum + count, 0) || steps.length,
    counts,
    durationMs: from && ended ? Math.max(0, ended.getTime() - from.getTime()) : 0,
  };
}

/** Returns one run for `get runs -o json`. Field names never change. */
export function runJson(run: RunRecord) {
  const { hosts, total, counts, durationMs } = statisticsOf(run);
  const { id, cluster, pipeline, info, status, started, resumed, ended } = run;
  return {
    id,
    cluster,
    pipeline,
    command: info?.command,
    line: info?.line,
    owner: info?.owner,
    version: info?.version,
    outcome: status,
    started: started?.toISOString(),
    resumed: resumed.map((at) => at.toISOString()),
    ended: status === 'running' ? undefined : ended?.toISOString(),
    durationMs,
    hosts,
    steps: { total, ...counts },
    goOn: isResumable(run) ? info?.goOn : undefined,
  };
}

export const isResumable = ({ status }: RunRecord) => status !== 'done' && status !== 'running' && status !== 'damaged';
