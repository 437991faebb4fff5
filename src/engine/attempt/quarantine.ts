import { EXIT } from '../../common/errors/exit-codes.ts';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { LOCAL } from '../../common/host.ts';
import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execution.ts';

/** Quarantines the host. The run continues without it, unless too many hosts are quarantined. */
export function quarantine({ run, progress: { totals } }: Execution, { id, host }: PlanNode, error: unknown): void {
  const { quarantined } = totals;
  if (!quarantined.has(host.name)) quarantined.set(host.name, { host: host.name, node: id, error });
  if (quarantined.size <= run.maxQuarantined) return;
  const [first] = quarantined.values();
  const params = { count: quarantined.size, limit: run.maxQuarantined };
  totals.fatal ??= fail('TOO_MANY_SET_ASIDE', { ...params, first: `${first?.host}: ${String(first?.error)}` }, error);
}

/** Returns whether an error quarantines the host. An unreachable or slow host must not delay the other hosts. */
export const isHostProblem = ({ host }: PlanNode, error: unknown) =>
  error instanceof KubexmError &&
  (error.exit === EXIT.connection || HOST_CODES.has(error.code)) &&
  host.name !== LOCAL.name;

const HOST_CODES: ReadonlySet<string> = new Set(['STEP_TIMED_OUT', 'LOCK_UNWRITABLE', 'HOST_BUDGET_SPENT']);
