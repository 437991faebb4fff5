import type { PlanNode } from '../../plan/graph.ts';

/** The run that events belong to. */
export interface RunInfo {
  readonly id: string;
  readonly cluster: string;
  /** Pipeline name, such as "create-cluster". */
  readonly pipeline: string;
  readonly steps: number;
  /** The number of steps per host. */
  readonly hosts: ReadonlyMap<string, number>;
}

interface OfNode {
  readonly run: RunInfo;
  readonly node: PlanNode;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The outcome of a run. */
export type Outcome = 'done' | 'partial' | 'failed' | 'interrupted';

/** Something that happens in a run. Terminal output, logs, metrics and the event store are based only on events. */
export type Event =
  | { readonly type: 'run-started'; readonly run: RunInfo; readonly at: number }
  | {
      readonly type: 'run-ended';
      readonly run: RunInfo;
      readonly at: number;
      readonly outcome: Outcome;
      readonly durationMs: number;
    }
  | (OfNode & { readonly type: 'started' | 'blocked' | 'restarted' })
  | (OfNode & { readonly type: 'said'; readonly line: string })
  | (OfNode & { readonly type: 'skipped' | 'done' | 'rolled-back'; readonly durationMs: number })
  | (OfNode & {
      readonly type: 'failed' | 'retried' | 'rollback-failed' | 'quarantined';
      readonly durationMs: number;
      readonly error: unknown;
    });

/** Receives every event, in order. */
export type Subscriber = (event: Event) => void;

/**
 * Passes events to all subscribers. Drops a subscriber that throws, so that it affects neither the run nor other
 * subscribers.
 */
export function broadcast(...subscribers: readonly Subscriber[]): Subscriber {
  const listening = new Set(subscribers);
  return (event) => {
    for (const subscriber of listening) {
      try {
        subscriber(event);
      } catch (error) {
        listening.delete(subscriber);
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  };
}
