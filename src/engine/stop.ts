import { createAbortController } from '../util/abort-signal.ts';

/** Interrupts a run at the request of the user. */
export interface Stop {
  /** First call: no new step starts, running steps finish. Second call: running steps are aborted, too. */
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
