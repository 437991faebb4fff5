import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execution.ts';
import type { NodeOutcome } from '../schedule/schedule.ts';
import { isReady } from './connect-host.ts';

/**
 * Returns the outcome of a node that does not have to run: blocked, on a quarantined host, or completed before the run
 * was resumed.
 */
export function decide(execution: Execution, node: PlanNode, blocked: boolean): NodeOutcome | undefined {
  const outcome = knownOutcome(execution, node, blocked);
  if (!outcome) return undefined;
  const {
    run: { report, info: run },
    progress: { totals },
  } = execution;
  totals.counts[outcome] += 1;
  if (outcome === 'blocked') {
    totals.notStarted.push(node.id);
    report({ type: 'blocked', run, node, at: Date.now() });
  } else if (outcome === 'quarantined') {
    const { error } = totals.quarantined.get(node.host.name)!;
    report({ type: 'quarantined', run, node, at: Date.now(), durationMs: 0, error });
  } else report({ type: 'skipped', run, node, at: Date.now(), durationMs: 0 });
  return outcome;
}

function knownOutcome(execution: Execution, node: PlanNode, blocked: boolean): NodeOutcome | undefined {
  const { run, progress } = execution;
  const { totals } = progress;
  // A broken journal ends the run, because new steps could not be resumed.
  totals.fatal ??= run.journal.broken;
  if (totals.quarantined.has(node.host.name) && !blocked) return 'quarantined';
  if (blocked || run.stop.soft.aborted || totals.fatal || totals.failedTasks.has(node.task.path)) return 'blocked';
  if (!isReady(execution, node) || !isTrusted(execution, node)) return undefined;
  progress.hostState(node.host).completed.push(node);
  return 'skipped';
}

/**
 * Returns whether a step was completed before the run was resumed, on a host that has not rebooted since. Steps that
 * provide values run again.
 */
export function isTrusted({ progress: { state } }: Execution, { id, step }: PlanNode): boolean {
  const status = state.nodes.get(id)?.status;
  return (status === 'done' || status === 'skipped') && step.provides.length === 0;
}
