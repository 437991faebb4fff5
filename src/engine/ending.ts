import { EXIT } from '../common/errors/exit-codes.ts';
import { exitOf } from '../common/errors/errors.ts';
import { LOCAL } from '../common/host.ts';
import { nodesOf } from '../plan/graph.ts';
import type { Outcome } from './event/event.ts';
import type { Execution } from './execute.ts';
import type { RollbackReport, RunResult } from './result.ts';

/** Sums a run up. */
export function resultOf(execution: Execution, undone: Undone | undefined): RunResult {
  const { tally, goOn } = execution;
  const [outcome, exit] = ending(execution);
  return Object.freeze({
    outcome,
    exit,
    counts: tally.counts,
    failures: tally.failures,
    setAside: [...tally.setAside.values()],
    changed: changedHosts(execution),
    error: tally.fatal,
    rollback: {
      undone: [],
      notUndone: keptAsIs(execution),
      ...undone,
      notStarted: tally.notStarted,
      inFlight: tally.cutShort,
      goOn,
    },
  });
}

/** What undoing brought. */
export type Undone = Pick<RollbackReport, 'undone' | 'notUndone'>;

function ending({ tally, stop, info }: Execution): readonly [Outcome, number] {
  const [failure] = tally.failures;
  if (tally.fatal) return ['failed', exitOf(tally.fatal)];
  if (failure) return ['failed', exitOf(failure.error)];
  if (tally.cutShort.length > 0 || (stop.soft.aborted && tally.notStarted.length > 0))
    return ['interrupted', EXIT.interrupted];
  if (tally.setAside.size === 0) return ['done', EXIT.ok];
  const all = [...info.hosts.keys()].every((host) => host === LOCAL.name || tally.setAside.has(host));
  const [first] = tally.setAside.values();
  return all ? ['failed', exitOf(first?.error)] : ['partial', EXIT.partial];
}

const changedHosts = ({ graph, state }: Execution) => [
  ...new Set(nodesOf(graph).flatMap(({ id, host }) => (state.nodes.get(id)?.changes.length ? [host.name] : []))),
];

/** What failed tasks changed, when undoing is switched off or cannot be. */
function keptAsIs({ graph, tally, state, journal }: Execution): RollbackReport['notUndone'] {
  if (tally.failedTasks.size === 0) return [];
  const reason = journal.broken ? 'the journal cannot be written' : 'it was kept as it is';
  return graph.vertices.flatMap((vertex) =>
    vertex.type === 'node' && tally.failedTasks.has(vertex.task.path) && state.nodes.get(vertex.id)?.changes.length
      ? [{ node: vertex.id, reason }]
      : [],
  );
}
