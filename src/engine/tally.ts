import type { NodeId, PlanNode } from '../plan/graph.ts';
import type { SetAside } from './result.ts';
import type { NodeOutcome } from './schedule/schedule.ts';

/** What came of the nodes so far. */
export interface Tally {
  readonly counts: Record<NodeOutcome, number>;
  readonly failures: { readonly node: PlanNode; readonly error: unknown }[];
  /** Paths of tasks that failed: what they have not begun is not begun any more. */
  readonly failedTasks: Set<string>;
  readonly setAside: Map<string, SetAside>;
  readonly notStarted: NodeId[];
  /** Steps that were ended in the middle: the user asked twice, or the journal could not be written. */
  readonly cutShort: NodeId[];
  /** What ends the run as a whole. */
  fatal: unknown;
}

export const createTally = (): Tally => ({
  counts: { done: 0, skipped: 0, failed: 0, blocked: 0, quarantined: 0 },
  failures: [],
  failedTasks: new Set(),
  setAside: new Map(),
  notStarted: [],
  cutShort: [],
  fatal: undefined,
});
