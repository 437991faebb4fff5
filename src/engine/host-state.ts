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
  /** Number of steps to check together. */
  window: number;
  /** The findings of steps that were checked before their turn. */
  checkedAhead: CheckedAhead | undefined;
  /** Milliseconds spent on failed attempts. */
  failedMs: number;
}

/** Steps that were checked together, in order, and their findings; undefined where the check failed. */
export interface CheckedAhead {
  readonly nodes: readonly PlanNode[];
  readonly findings: Promise<readonly (readonly Finding[] | undefined)[]>;
  /** The change count of the host when they were checked. */
  readonly changes: number;
}

/** Keeps one state per host, created on first use. */
export function createHostStates(connected: ConnectedHost | undefined): (host: Host) => HostState {
  const states = new Map<string, HostState>();
  return ({ name }) => {
    const known = states.get(name);
    if (known) return known;
    const state: HostState = {
      connected,
      preparing: undefined,
      needsRecheck: false,
      completed: [],
      changes: 0,
      window: FIRST_WINDOW,
      checkedAhead: undefined,
      failedMs: 0,
    };
    states.set(name, state);
    return state;
  };
}

// Starts small: a first run wastes at most one check, and the window doubles while there is nothing to do.
const FIRST_WINDOW = 2;
