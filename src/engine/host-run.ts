import type { Host } from '../common/host.ts';
import type { PlanNode } from '../plan/graph.ts';
import type { Ahead } from './attempt/check-ahead.ts';

/** A host that answers. */
export interface MetHost {
  /** Of the boot that was heard of last; another one than before says that the host was started anew. */
  bootId(): string | undefined;
  /** Resolves when nothing goes on there any more that an earlier run began. */
  free?(signal: AbortSignal, say: (line: string) => void): Promise<void>;
}

/** What a run knows of one host. */
export interface HostRun {
  /** Undefined until it answers for the first time. */
  met: MetHost | undefined;
  /** Goes on while it is met, or looked at again after it was started anew; its steps wait for it. */
  settling: Promise<void> | undefined;
  /** What is through may be lost: the host was started anew. */
  shaken: boolean;
  /** Steps that are through, in order. */
  readonly passed: PlanNode[];
  /** Counts up whenever something may have changed. */
  changes: number;
  /** How many steps are looked at together. */
  window: number;
  /** What was found of steps that are not on yet. */
  ahead: Ahead | undefined;
  /** Milliseconds that went into tries that failed. */
  lostMs: number;
}

/** Gives each host its own record, made when it is first asked for. */
export function createHostRuns(isMet: MetHost | undefined): (host: Host) => HostRun {
  const runs = new Map<string, HostRun>();
  return ({ name }) => {
    const known = runs.get(name);
    if (known) return known;
    const made = {
      met: isMet,
      settling: undefined,
      shaken: false,
      passed: [],
      changes: 0,
      window: FIRST_WINDOW,
      ahead: undefined,
      lostMs: 0,
    };
    runs.set(name, made);
    return made;
  };
}

// With one step ahead a first run wastes one look, and a run with nothing to do is soon at full pace.
const FIRST_WINDOW = 2;
