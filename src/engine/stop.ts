import { createAbortController } from '../util/abort-signal.ts';

/** How a person ends a run. */
export interface Stop {
  /** The first time: nothing new begins, what is in flight ends well. The second time: that is ended, too. */
  request(): void;
  /** Aborted by the first request. */
  readonly soft: AbortSignal;
  /** Aborted by the second one. */
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
