import type { Host } from '../common/host.ts';
import type { PlanNode } from '../plan/graph.ts';
import type { Finding } from '../step/contract/part.ts';

/** A connected host. */
export interface ConnectedHost {
  /** The last reported boot ID; a different one means that the host rebooted. */
  bootId(): string | undefined;
  /** Resolves when no process of an earlier run is still running on the host. */
  idle?(signal: AbortSignal, say: (line: string) => void): Promise<void>;
}

/** The state of a host during a run. */
export interface HostState {
  /** Undefined until the first connection. */
  connected: ConnectedHost | undefined;
  /** Pending while the host is being connected to or rechecked after a reboot; its steps wait for it. */
  preparing: Promise<void> | undefined;
  /** The host rebooted, so completed steps must be verified again. */
  needsRecheck: boolean;
  /** Completed steps, in order. */
  readonly completed: PlanNode[];
  /** Number of operations that may have changed the host. */
  changes: number;
  /** The same for all hosts of the run; one object, shared by their states. */
  readonly run: { changes: number };
  /** Number of steps to check together. */
  window: number;
  /** Steps that were checked before their turn and have not run yet. */
  readonly checkedAhead: Map<PlanNode, CheckAhead>;
  /** Milliseconds spent on failed attempts. */
  failedMs: number;
}

/** The check of one step before its turn. */
export interface CheckAhead {
  /** Undefined if the check failed. */
  readonly findings: Promise<readonly Finding[] | undefined>;
  /** All steps that it waits for had ended or are on this host, so no other host can affect it. */
  readonly isFollower: boolean;
  /** The change counts of the host and of the run at the time of the check. */
  readonly changes: number;
  readonly runChanges: number;
}

/** Counts an operation that may change a host. */
export function countChange(host: HostState): void {
  host.changes += 1;
  host.run.changes += 1;
}

/** Keeps one state per host, created on first use. */
export function createHostStates(connected: ConnectedHost | undefined): (host: Host) => HostState {
  const states = new Map<string, HostState>();
  const run = { changes: 0 };
  return ({ name }) => {
    const known = states.get(name);
    if (known) return known;
    const state: HostState = {
      connected,
      preparing: undefined,
      needsRecheck: false,
      completed: [],
      changes: 0,
      run,
      window: FIRST_WINDOW,
      checkedAhead: new Map(),
      failedMs: 0,
    };
    states.set(name, state);
    return state;
  };
}

// All checks share a round trip, so a first run wastes only the checks themselves.
const FIRST_WINDOW = 8;
