import type { RunRecord, StepStatus } from '../../runtime/history/read-run.ts';

/** A run in numbers, for people and programs alike. */
export interface RunNumbers {
  readonly hosts: number;
  readonly total: number;
  readonly counts: Readonly<Record<StepStatus, number>>;
  readonly durationMs: number;
}

/** Of a run that went on, the time is that of its last part. */
export function numbersOf({ info, steps, started, resumed, ended }: RunRecord): RunNumbers {
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

/** What `get runs -o json` has of each run. */
export function runJson(run: RunRecord) {
  const { hosts, total, counts, durationMs } = numbersOf(run);
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
    goOn: isOpen(run) ? info?.goOn : undefined,
  };
}

/** Whether there is something to go on with. */
export const isOpen = ({ status }: RunRecord) => status !== 'done' && status !== 'running' && status !== 'damaged';
