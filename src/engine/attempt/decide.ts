import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execute.ts';
import type { NodeOutcome } from '../schedule/schedule.ts';
import { isSettled } from './meet-host.ts';

/** What is known of a node without touching its host: not to be begun, done before this run went on, or to be run. */
export function decide(execution: Execution, node: PlanNode, blocked: boolean): NodeOutcome | undefined {
  const outcome = known(execution, node, blocked);
  if (!outcome) return undefined;
  const { tally, report, info: run } = execution;
  tally.counts[outcome] += 1;
  if (outcome === 'blocked') {
    tally.notStarted.push(node.id);
    report({ type: 'blocked', run, node, at: Date.now() });
  } else if (outcome === 'quarantined') {
    const { error } = tally.setAside.get(node.host.name)!;
    report({ type: 'quarantined', run, node, at: Date.now(), durationMs: 0, error });
  } else report({ type: 'skipped', run, node, at: Date.now(), durationMs: 0 });
  return outcome;
}

function known(execution: Execution, node: PlanNode, blocked: boolean): NodeOutcome | undefined {
  const { tally, stop, journal } = execution;
  // The broken journal of a run is its end: without it nothing that is begun could be found again.
  tally.fatal ??= journal.broken;
  if (tally.setAside.has(node.host.name) && !blocked) return 'quarantined';
  if (blocked || stop.soft.aborted || tally.fatal || tally.failedTasks.has(node.task.path)) return 'blocked';
  if (!isSettled(execution, node) || !trusted(execution, node)) return undefined;
  execution.hostRun(node.host).passed.push(node);
  return 'skipped';
}

/** Done before this run went on, and the host was not started anew since; what it provides has to be brought up again. */
export function trusted({ state }: Execution, { id, step }: PlanNode): boolean {
  const status = state.nodes.get(id)?.status;
  return (status === 'done' || status === 'skipped') && step.provides.length === 0;
}
