import type { PlanNode } from '../../plan/graph.ts';

/** The run that events belong to. */
export interface RunInfo {
  readonly id: string;
  readonly cluster: string;
  /** "create-cluster" */
  readonly pipeline: string;
  readonly steps: number;
  /** How many steps each host has. */
  readonly hosts: ReadonlyMap<string, number>;
}

interface OfNode {
  readonly run: RunInfo;
  readonly node: PlanNode;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How a run as a whole can end. */
export type Outcome = 'done' | 'partial' | 'failed' | 'interrupted';

/** What happens in a run. Terminal, log, metrics and event store know nothing else. */
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

/** Hears of every event, in order. */
export type Subscriber = (event: Event) => void;

/** Tells every subscriber. One that throws hears no more, and keeps neither the run nor the others from going on. */
export function tellAll(...subscribers: readonly Subscriber[]): Subscriber {
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
