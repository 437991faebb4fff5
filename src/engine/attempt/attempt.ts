import { EXIT } from '../../common/errors/exit-codes.ts';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { LOCAL } from '../../common/host.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { causeOf } from '../event/event-text.ts';
import type { Execution } from '../execute.ts';
import { widen } from './check-ahead.ts';
import { FIRST_PAUSE, nextPause, pauseAfter } from './pause.ts';
import type { NodeOutcome } from '../schedule/schedule.ts';
import { tryOverRestarts } from './retry-after-reboot.ts';

/** Runs one step on one host within its time, again where that is declared, and takes down what came of it. */
export async function attempt(execution: Execution, node: PlanNode, index: number): Promise<NodeOutcome> {
  const { info: run, report, tally } = execution;
  const started = Date.now();
  report({ type: 'started', run, node, at: started });
  let outcome: NodeOutcome | undefined;
  for (let left = node.step.retries, wait = FIRST_PAUSE; !outcome; left--, wait = nextPause(wait)) {
    const tried = Date.now();
    try {
      outcome = succeeded(execution, node, started, await tryOverRestarts(execution, node, index));
    } catch (error) {
      const may = left > 0 && retryable(error);
      const spent = may ? spend(execution, node, Date.now() - tried + wait, error) : undefined;
      const again = may && !spent && (await pauseAfter(execution, node, started, wait, error));
      // Not tried again because the user stops the run: that is no failure.
      const stopped = may && !spent && !again ? fail('INTERRUPTED', {}, error) : undefined;
      if (!again) outcome = failed(execution, node, started, spent ?? stopped ?? error);
    }
  }
  tally.counts[outcome] += 1;
  return outcome;
}

/**
 * What a host spends of its budget is the time of tries that failed, with the pauses after them: work that goes well is
 * bounded by the time-outs of its steps, but a host on which everything fails a few times first would hold up all that
 * meet it at gates.
 */
function spend({ hostRun, hostBudgetMs }: Execution, node: PlanNode, ms: number, error: unknown) {
  const host = hostRun(node.host);
  host.lostMs += ms;
  if (host.lostMs <= hostBudgetMs) return undefined;
  const minutes = Math.round(host.lostMs / 60_000);
  return fail('HOST_BUDGET_SPENT', { host: node.host.name, minutes, last: causeOf(error) }, error);
}

function succeeded(
  { record, report, info: run, hostRun }: Execution,
  node: PlanNode,
  started: number,
  result: 'done' | 'skipped' | 'trusted',
): NodeOutcome {
  const at = Date.now();
  const host = hostRun(node.host);
  const outcome = result === 'done' ? 'done' : 'skipped';
  if (result === 'done') record({ type: 'done', node: node.id, ms: at - started });
  if (result === 'skipped') record({ type: 'skipped', node: node.id });
  host.passed.push(node);
  widen(host, result === 'done' ? 'changed' : 'skipped');
  report({ type: outcome, run, node, at, durationMs: at - started });
  return outcome;
}

/** A command may work the second time. A connection was tried again by the connector; a defect stays one. */
const retryable = (error: unknown) => error instanceof KubexmError && error.exit === EXIT.command && !isJournal(error);

const isJournal = (error: unknown) => error instanceof KubexmError && error.code === 'JOURNAL_UNWRITABLE';

/** Says what a failed try means: cut short by the user, a host to be set aside, or a failure of the task. */
function failed(execution: Execution, node: PlanNode, started: number, error: unknown): NodeOutcome {
  const { tally, record, report, info: run, stop, journal, hostRun } = execution;
  const at = Date.now();
  widen(hostRun(node.host), 'changed');
  const code = error instanceof KubexmError ? error.code : 'INTERNAL';
  if (code === 'INTERRUPTED' && stop.soft.aborted) {
    // No record: it is in flight, and looked at first when the run goes on.
    tally.cutShort.push(node.id);
    report({ type: 'blocked', run, node, at });
    return 'blocked';
  }
  // Somebody else works on this host: what is theirs is not touched any more, not even to undo what is ours.
  if ((journal.broken && error === journal.broken) || isLockedOut(error)) {
    tally.fatal ??= error;
    tally.cutShort.push(node.id);
    report({ type: 'blocked', run, node, at });
    return 'blocked';
  }
  const type = setsAside(node, error) ? 'quarantined' : 'failed';
  record({ type, node: node.id, code });
  report({ type, run, node, at, durationMs: at - started, error });
  if (type === 'quarantined') setAside(execution, node, error);
  else {
    tally.failures.push({ node, error });
    tally.failedTasks.add(node.task.path);
  }
  return type;
}

/** Somebody else has the lock on the cluster. */
export const isLockedOut = (error: unknown) => error instanceof KubexmError && error.exit === EXIT.locked;

/** A host that cannot be reached or is too slow does not hold up the rest. */
const setsAside = ({ host }: PlanNode, error: unknown) =>
  error instanceof KubexmError &&
  (error.exit === EXIT.connection || HOST_CODES.has(error.code)) &&
  host.name !== LOCAL.name;

const HOST_CODES: ReadonlySet<string> = new Set(['STEP_TIMED_OUT', 'LOCK_UNWRITABLE', 'HOST_BUDGET_SPENT']);

function setAside({ tally, maxSetAside: limit }: Execution, { id, host }: PlanNode, error: unknown): void {
  if (!tally.setAside.has(host.name)) tally.setAside.set(host.name, { host: host.name, node: id, error });
  const count = tally.setAside.size;
  if (count <= limit) return;
  const [first] = tally.setAside.values();
  tally.fatal ??= fail('TOO_MANY_SET_ASIDE', { count, limit, first: `${first?.host}: ${String(first?.error)}` }, error);
}
