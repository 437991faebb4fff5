import type { NodeId, PlanNode } from '../plan/graph.ts';
import type { QuarantinedHost } from './result.ts';
import type { NodeOutcome } from './schedule/schedule.ts';

/** The results of the nodes so far. */
export interface Totals {
  readonly counts: Record<NodeOutcome, number>;
  readonly failures: { readonly node: PlanNode; readonly error: unknown }[];
  /** Paths of failed tasks, whose remaining nodes do not start. */
  readonly failedTasks: Set<string>;
  readonly quarantined: Map<string, QuarantinedHost>;
  readonly notStarted: NodeId[];
  /** Steps that were aborted because the user interrupted twice or the journal could not be written. */
  readonly aborted: NodeId[];
  /** The error that ends the whole run. */
  fatal: unknown;
}

export const createTotals = (): Totals => ({
  counts: { done: 0, skipped: 0, failed: 0, blocked: 0, quarantined: 0 },
  failures: [],
  failedTasks: new Set(),
  quarantined: new Map(),
  notStarted: [],
  aborted: [],
  fatal: undefined,
});
