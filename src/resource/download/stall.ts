/** Aborts a transfer that is too slow for too long. */
export interface StallDetector extends Disposable {
  /** Aborted after a stall or by the outer signal. */
  readonly signal: AbortSignal;
  /** Starts the timer. Must be called when the body begins, because waiting for the response is not a stall. */
  readonly start: () => void;
  readonly received: (bytes: number) => void;
}

/** Fewer bytes per interval also count as a stall, because at a few bytes per second a download would take days. */
const MIN_BYTES = 4096;

export function detectStall(timeoutMs: number, outer: AbortSignal): StallDetector {
  const stalled = new AbortController();
  let received = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    if (received < MIN_BYTES) stalled.abort();
    received = 0;
  };
  return {
    signal: AbortSignal.any([outer, stalled.signal]),
    start: () => {
      timer ??= setInterval(check, timeoutMs);
    },
    received: (bytes) => {
      received += bytes;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
