import { EXIT } from '../common/errors/exit-codes.ts';
import { exitOf } from '../common/errors/errors.ts';
import { LOCAL } from '../common/host.ts';
import { nodesOf } from '../plan/graph.ts';
import { criticalPath } from './critical-path.ts';
import type { Outcome } from './event/event.ts';
import type { Execution } from './execution.ts';
import type { RollbackReport, RunResult } from './result.ts';

/** Summarizes a completed run. */
export function resultOf(execution: Execution, rolledBack: RolledBack | undefined): RunResult {
  const { run, progress } = execution;
  const { totals } = progress;
  const [outcome, exit] = outcomeOf(execution);
  return Object.freeze({
    outcome,
    exit,
    counts: totals.counts,
    failures: totals.failures,
    quarantined: [...totals.quarantined.values()],
    changed: changedHosts(execution),
    criticalPath: criticalPath(run.graph, run.positions, progress.times),
    error: totals.fatal,
    rollback: {
      undone: [],
      notUndone: keptChanges(execution),
      ...rolledBack,
      notStarted: totals.notStarted,
      inFlight: totals.aborted,
      resumeCommand: execution.run.resumeCommand,
    },
  });
}

/** The result of a rollback. */
export type RolledBack = Pick<RollbackReport, 'undone' | 'notUndone'>;

function outcomeOf({ run, progress: { totals } }: Execution): readonly [Outcome, number] {
  const [failure] = totals.failures;
  if (totals.fatal) return ['failed', exitOf(totals.fatal)];
  if (failure) return ['failed', exitOf(failure.error)];
  if (totals.aborted.length > 0 || (run.stop.soft.aborted && totals.notStarted.length > 0))
    return ['interrupted', EXIT.interrupted];
  if (totals.quarantined.size === 0) return ['done', EXIT.ok];
  const all = [...run.info.hosts.keys()].every((host) => host === LOCAL.name || totals.quarantined.has(host));
  const [first] = totals.quarantined.values();
  return all ? ['failed', exitOf(first?.error)] : ['partial', EXIT.partial];
}

const changedHosts = ({ run, progress }: Execution) => [
  ...new Set(
    nodesOf(run.graph).flatMap(({ id, host }) => (progress.state.nodes.get(id)?.changes.length ? [host.name] : [])),
  ),
];

/** Returns the changes of failed tasks that were not rolled back, because rollback is disabled or impossible. */
function keptChanges({ run, progress: { totals, state } }: Execution): RollbackReport['notUndone'] {
  if (totals.failedTasks.size === 0) return [];
  const reason = run.journal.broken ? 'the journal cannot be written' : 'rollback is disabled';
  return run.graph.vertices.flatMap((vertex) =>
    vertex.type === 'node' && totals.failedTasks.has(vertex.task.path) && state.nodes.get(vertex.id)?.changes.length
      ? [{ node: vertex.id, reason }]
      : [],
  );
}
