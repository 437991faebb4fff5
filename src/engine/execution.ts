import type { Host } from '../common/host.ts';
import type { ExecutionGraph, PlanNode } from '../plan/graph.ts';
import type { StepContext } from '../step/contract/part.ts';
import type { Deadlines } from './attempt/deadlines.ts';
import type { ChangeLog } from './attempt/run-step.ts';
import type { RunInfo, Subscriber } from './event/event.ts';
import type { Times } from './critical-path.ts';
import type { ConnectedHost, HostState } from './host-state.ts';
import type { Journal } from './journal/journal.ts';
import type { JournalRecord } from './journal/record.ts';
import type { RunState } from './journal/run-state.ts';
import type { Stop } from './stop.ts';
import type { Totals } from './totals.ts';

/** A run in progress: its inputs and its progress. */
export interface Execution {
  readonly run: Run;
  readonly progress: Progress;
}

/** The inputs of a run, which do not change during the run. */
export interface Run extends RunSettings {
  readonly graph: ExecutionGraph;
  /** The positions of the nodes of each host in the graph, in order. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
  readonly info: RunInfo;
  readonly journal: Journal;
  readonly stop: Stop;
  readonly deadlines: Deadlines;
}

/** The progress of a run: its journal state, the node totals and the state of each host. */
export interface Progress {
  readonly state: RunState;
  readonly totals: Totals;
  readonly times: Times;
  readonly changes: ChangeLog;
  readonly hostState: (host: Host) => HostState;
  /** Applies a record to the state and appends it to the journal. */
  readonly record: (record: JournalRecord) => void;
}

/** Settings chosen by the caller of the engine. */
export interface RunSettings {
  readonly contextFor: ContextFor;
  readonly report: Subscriber;
  /** Whether to roll back failed tasks. */
  readonly rollback: boolean;
  /** Connects to a host. Called once, before the first step on the host. */
  readonly connect: (host: Host) => Promise<ConnectedHost>;
  /** How long a connected host may be unreachable, for example while it reboots. */
  readonly rebootWaitMs: number;
  /** How long failed attempts on one host may take in total before the host is quarantined. */
  readonly hostBudgetMs: number;
  /** The run is aborted if more than this many hosts are quarantined. */
  readonly maxQuarantined: number;
  /** The command that resumes this run. */
  readonly resumeCommand: string;
  /** The fencing token of the cluster lock. */
  readonly fence: number;
  /** Waits before a step is retried. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Creates the context of one step on one host. */
export type ContextFor = (
  node: PlanNode,
  signal: AbortSignal,
  say: (line: string) => void,
) => StepContext | Promise<StepContext>;
