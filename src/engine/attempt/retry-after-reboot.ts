import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execution.ts';
import { runWithChecksAhead } from './check-ahead.ts';
import { ensureReady, hasRebooted, isReady } from './connect-host.ts';
import { isTrusted } from './decide.ts';
import { FIRST_PAUSE, nextPause, pauseAfter } from './pause.ts';

/**
 * Attempts a step on a host that may reboot in the meantime. After a reboot, waits for the host, verifies completed
 * steps and attempts the step again, whatever its result was.
 */
export async function attemptAcrossReboots(
  execution: Execution,
  node: PlanNode,
  index: number,
): Promise<'done' | 'skipped' | 'trusted'> {
  const { run, progress } = execution;
  const started = Date.now();
  const host = progress.hostState(node.host);
  let reboots = 0;
  for (let left = run.rebootWaitMs, wait = FIRST_PAUSE; reboots <= MAX_REBOOTS; wait = nextPause(wait)) {
    const tried = Date.now();
    try {
      const preparing = ensureReady(execution, node);
      if (preparing) await preparing;
      if (preparing && isTrusted(execution, node)) return 'trusted';
      const result = await runWithChecksAhead(execution, node, index);
      if (isReady(execution, node)) return result;
    } catch (error) {
      left -= Date.now() - tried + wait;
      const away = host.connected !== undefined && isUnreachable(error);
      const retry = away && left > 0 && (await pauseAfter(execution, node, started, wait, error));
      if (away && run.stop.soft.aborted) throw fail('INTERRUPTED', {}, error);
      if (retry) continue;
      if (away || !hasRebooted(execution, node)) throw error;
    }
    reboots += 1;
  }
  throw fail('COMMAND_LOST', { host: node.host.name, reason: `the host rebooted ${reboots} times` });
}

const MAX_REBOOTS = 2;

/**
 * Returns whether a connected host is unreachable. It may be rebooting, which takes longer than a dropped connection.
 */
const isUnreachable = (error: unknown) =>
  error instanceof KubexmError && (error.code === 'HOST_UNREACHABLE' || error.code === 'CONNECTION_LOST');
