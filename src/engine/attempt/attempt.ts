import { EXIT } from '../../common/errors/exit-codes.ts';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { causeOf } from '../event/event-text.ts';
import type { Execution } from '../execution.ts';
import type { NodeOutcome } from '../schedule/schedule.ts';
import { discardChecks } from './check-ahead.ts';
import { FIRST_PAUSE, nextPause, pauseAfter } from './pause.ts';
import { isHostProblem, quarantine } from './quarantine.ts';
import { attemptAcrossReboots } from './retry-after-reboot.ts';

/** Runs one step on one host, retries it if the step allows retries, and records the outcome. */
export async function attempt(execution: Execution, node: PlanNode, index: number): Promise<NodeOutcome> {
  const { run, progress } = execution;
  const started = Date.now();
  run.report({ type: 'started', run: run.info, node, at: started });
  let outcome: NodeOutcome | undefined;
  for (let left = node.step.retries, wait = FIRST_PAUSE; !outcome; left--, wait = nextPause(wait)) {
    const tried = Date.now();
    try {
      outcome = succeeded(execution, node, started, await attemptAcrossReboots(execution, node, index));
    } catch (error) {
      const mayRetry = left > 0 && isRetryable(error);
      const overBudget = mayRetry ? spendBudget(execution, node, Date.now() - tried + wait, error) : undefined;
      const retry = mayRetry && !overBudget && (await pauseAfter(execution, node, started, wait, error));
      // A step that is not retried because the user interrupted the run has not failed.
      const interrupted = mayRetry && !overBudget && !retry ? fail('INTERRUPTED', {}, error) : undefined;
      if (!retry) outcome = failed(execution, node, started, overBudget ?? interrupted ?? error);
    }
  }
  progress.totals.counts[outcome] += 1;
  progress.times.started[index] = started;
  progress.times.ended[index] = Date.now();
  return outcome;
}

/**
 * Counts failed attempts and the pauses after them against the time budget of the host. Step timeouts limit successful
 * work, but a host on which every step fails a few times would delay all other hosts at each gate.
 */
function spendBudget({ run, progress }: Execution, node: PlanNode, ms: number, error: unknown) {
  const host = progress.hostState(node.host);
  host.failedMs += ms;
  if (host.failedMs <= run.hostBudgetMs) return undefined;
  const minutes = Math.round(host.failedMs / 60_000);
  return fail('HOST_BUDGET_SPENT', { host: node.host.name, minutes, last: causeOf(error) }, error);
}

function succeeded(
  { run, progress }: Execution,
  node: PlanNode,
  started: number,
  result: 'done' | 'skipped' | 'trusted',
): NodeOutcome {
  const at = Date.now();
  const host = progress.hostState(node.host);
  const outcome = result === 'done' ? 'done' : 'skipped';
  if (result === 'done') progress.record({ type: 'done', node: node.id, ms: at - started });
  if (result === 'skipped') progress.record({ type: 'skipped', node: node.id });
  host.completed.push(node);
  if (result === 'done') discardChecks(host);
  run.report({ type: outcome, run: run.info, node, at, durationMs: at - started });
  return outcome;
}

/**
 * Returns whether a failed command can be retried. The connector has already retried connections, and a retry cannot
 * fix a bug.
 */
const isRetryable = (error: unknown) =>
  error instanceof KubexmError && error.exit === EXIT.command && error.code !== 'JOURNAL_UNWRITABLE';

/** Determines the result of a failed attempt: an interruption, a quarantined host or a failed task. */
function failed(execution: Execution, node: PlanNode, started: number, error: unknown): NodeOutcome {
  const { run, progress } = execution;
  const { totals } = progress;
  const at = Date.now();
  discardChecks(progress.hostState(node.host));
  const code = error instanceof KubexmError ? error.code : 'INTERNAL';
  const interrupted = code === 'INTERRUPTED' && run.stop.soft.aborted;
  // After another operator has taken over the lock, nothing on the host is changed any more, not even to roll back.
  const locked = (run.journal.broken && error === run.journal.broken) || isLockedOut(error);
  if (interrupted || locked) {
    // Writes no record, so that the step remains in flight and is checked first when the run is resumed.
    if (!interrupted) totals.fatal ??= error;
    totals.aborted.push(node.id);
    run.report({ type: 'blocked', run: run.info, node, at });
    return 'blocked';
  }
  const type = isHostProblem(node, error) ? 'quarantined' : 'failed';
  progress.record({ type, node: node.id, code });
  run.report({ type, run: run.info, node, at, durationMs: at - started, error });
  if (type === 'quarantined') quarantine(execution, node, error);
  else {
    totals.failures.push({ node, error });
    totals.failedTasks.add(node.task.path);
  }
  return type;
}

/** Returns whether another operator holds the cluster lock. */
export const isLockedOut = (error: unknown) => error instanceof KubexmError && error.exit === EXIT.locked;
