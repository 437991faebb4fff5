import type { NodeId, PlanNode } from '../plan/graph.ts';
import type { Outcome } from './event/event.ts';
import type { NodeOutcome } from './schedule/schedule.ts';

/** What was put back after a failure, what was not, and how to go on. */
export interface RollbackReport {
  readonly undone: readonly NodeId[];
  readonly notUndone: readonly { readonly node: NodeId; readonly reason: string }[];
  readonly notStarted: readonly NodeId[];
  /** Ended in the middle; looked at first when the run goes on. */
  readonly inFlight: readonly NodeId[];
  /** A command to paste. */
  readonly goOn: string;
}

/** A host that was set aside. */
export interface SetAside {
  readonly host: string;
  readonly node: NodeId;
  readonly error: unknown;
}

/** How a run ended. */
export interface RunResult {
  readonly outcome: Outcome;
  readonly exit: number;
  readonly counts: Readonly<Record<NodeOutcome, number>>;
  /** Causes only: what was blocked by them is counted. */
  readonly failures: readonly { readonly node: PlanNode; readonly error: unknown }[];
  readonly setAside: readonly SetAside[];
  /** Hosts that this run changed. */
  readonly changed: readonly string[];
  /** What ended the run as a whole, such as a full disk. */
  readonly error: unknown;
  readonly rollback: RollbackReport;
}
