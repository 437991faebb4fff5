/** Aborts a transfer that receives too little data for too long. */
export interface StallDetector extends Disposable {
  /** Aborted by a stall or by the outer signal. */
  readonly signal: AbortSignal;
  /** Call when the body begins: waiting for the response is not a stall. */
  readonly start: () => void;
  readonly received: (bytes: number) => void;
}

/** Fewer bytes per interval are a stall too: at a few bytes a second a download would take days. */
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
