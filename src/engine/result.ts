import type { NodeId, PlanNode } from '../plan/graph.ts';
import type { PathStep } from './critical-path.ts';
import type { Outcome } from './event/event.ts';
import type { NodeOutcome } from './schedule/schedule.ts';

/** The changes that were and were not rolled back after a failure, and how to continue. */
export interface RollbackReport {
  readonly undone: readonly NodeId[];
  readonly notUndone: readonly { readonly node: NodeId; readonly reason: string }[];
  readonly notStarted: readonly NodeId[];
  /** Aborted steps; a resumed run checks them first. */
  readonly inFlight: readonly NodeId[];
  /** The command that resumes the run. */
  readonly resumeCommand: string;
}

/** A host that is excluded from the rest of the run. */
export interface QuarantinedHost {
  readonly host: string;
  readonly node: NodeId;
  readonly error: unknown;
}

/** The result of a run. */
export interface RunResult {
  readonly outcome: Outcome;
  readonly exit: number;
  readonly counts: Readonly<Record<NodeOutcome, number>>;
  /** Only root causes. Nodes blocked by them are only counted. */
  readonly failures: readonly { readonly node: PlanNode; readonly error: unknown }[];
  readonly quarantined: readonly QuarantinedHost[];
  /** Hosts that this run changed. */
  readonly changed: readonly string[];
  /** The critical path: the steps that determined the duration of the run, in order. */
  readonly criticalPath: readonly PathStep[];
  /** The error that ended the whole run, such as a full disk. */
  readonly error: unknown;
  readonly rollback: RollbackReport;
}
