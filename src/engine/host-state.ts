import type { Host } from '../common/host.ts';
import type { PlanNode } from '../plan/graph.ts';
import type { Finding } from '../step/contract/part.ts';

/** A connected host. */
export interface ConnectedHost {
  /** Returns the last reported boot ID. A different ID means that the host rebooted. */
  bootId(): string | undefined;
  /** Resolves when no process of an earlier run is still running on the host. */
  idle?(signal: AbortSignal, say: (line: string) => void): Promise<void>;
}

/** The state of a host during a run. */
export interface HostState {
  /** Undefined until the first connection. */
  connected: ConnectedHost | undefined;
  /** Pending while kubexm connects to the host or rechecks it after a reboot. Steps on the host wait for it. */
  preparing: Promise<void> | undefined;
  /** Whether completed steps must be verified again, because the host rebooted. */
  needsRecheck: boolean;
  /** Completed steps, in order. */
  readonly completed: PlanNode[];
  /** Number of operations that may have changed the host. */
  changes: number;
  /** The number for all hosts of the run, in an object that all host states share. */
  readonly run: { changes: number };
  /** Number of steps to check together. */
  window: number;
  /** Steps that were checked ahead and have not run yet. */
  readonly checkedAhead: Map<PlanNode, CheckAhead>;
  /** Milliseconds spent on failed attempts. */
  failedMs: number;
}

/** A check of a step ahead of its execution. */
export interface CheckAhead {
  /** Resolves to undefined if the check failed. */
  readonly findings: Promise<readonly Finding[] | undefined>;
  /** Whether all dependencies had ended or are on this host, so that no other host can affect the result. */
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

// All checks share a round trip, so the first run wastes only the time for the checks themselves.
const FIRST_WINDOW = 8;
