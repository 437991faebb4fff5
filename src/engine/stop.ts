import { createAbortController } from '../util/abort-signal.ts';

/** Interrupts a run at the request of the user. */
export interface Stop {
  /**
   * Requests a stop. The first call lets running steps finish and starts no new step. The second call also aborts
   * running steps.
   */
  request(): void;
  /** Aborted by the first request. */
  readonly soft: AbortSignal;
  /** Aborted by the second request. */
  readonly hard: AbortSignal;
}

export function createStop(): Stop {
  const soft = createAbortController();
  const hard = createAbortController();
  return Object.freeze({
    request: () => (soft.signal.aborted ? hard : soft).abort(),
    soft: soft.signal,
    hard: hard.signal,
  });
}
