import type { PlanNode } from '../../plan/graph.ts';

/** The run that events belong to. */
export interface RunInfo {
  readonly id: string;
  readonly cluster: string;
  /** "create-cluster" */
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

/** How a run can end. */
export type Outcome = 'done' | 'partial' | 'failed' | 'interrupted';

/** Everything that happens in a run: the only source of the terminal, the log, metrics and the event store. */
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

/** Passes events to all subscribers. One that throws is dropped and disturbs neither the run nor the others. */
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
