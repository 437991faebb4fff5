import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { trusted } from './decide.ts';
import type { Execution } from '../execute.ts';
import { runLookingAhead } from './check-ahead.ts';
import { FIRST_PAUSE, nextPause, pauseAfter } from './pause.ts';
import { isRestarted, isSettled, settle } from './meet-host.ts';

/**
 * Tries a step once, on a host that may be started anew meanwhile: it is waited for, what is through there is looked at
 * again, and then the step, which is not taken for done, whatever came of it.
 */
export async function tryOverRestarts(
  execution: Execution,
  node: PlanNode,
  index: number,
): Promise<'done' | 'skipped' | 'trusted'> {
  const started = Date.now();
  const host = execution.hostRun(node.host);
  let restarts = 0;
  for (let left = execution.returnMs, wait = FIRST_PAUSE; restarts <= MOST_RESTARTS; wait = nextPause(wait)) {
    const tried = Date.now();
    try {
      const settling = settle(execution, node);
      if (settling) await settling;
      if (settling && trusted(execution, node)) return 'trusted';
      const result = await runLookingAhead(execution, node, index);
      if (isSettled(execution, node)) return result;
    } catch (error) {
      left -= Date.now() - tried + wait;
      const away = host.met !== undefined && isGone(error);
      const again = away && left > 0 && (await pauseAfter(execution, node, started, wait, error));
      if (away && execution.stop.soft.aborted) throw fail('INTERRUPTED', {}, error);
      if (again) continue;
      if (away || !isRestarted(execution, node)) throw error;
    }
    restarts += 1;
  }
  throw fail('COMMAND_LOST', { host: node.host.name, reason: `the host was started anew ${restarts} times` });
}

const MOST_RESTARTS = 2;

/** A host that was there and is not may be starting, and that takes longer than a connection that only dropped. */
const isGone = (error: unknown) =>
  error instanceof KubexmError && (error.code === 'HOST_UNREACHABLE' || error.code === 'CONNECTION_LOST');
