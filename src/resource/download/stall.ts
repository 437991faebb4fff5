/** Ends what gets too little data for too long. */
export interface StallWatch extends Disposable {
  /** Aborted by the stall, or by the signal that was given. */
  readonly signal: AbortSignal;
  /** Waiting for an answer is no stall; from now on it is. */
  readonly begin: () => void;
  readonly heard: (bytes: number) => void;
}

/** Also a trickle is a stall: a few bytes a second would take days. */
const ENOUGH = 4096;

export function watchStall(stallMs: number, outer: AbortSignal): StallWatch {
  const stalled = new AbortController();
  let received = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (received < ENOUGH) stalled.abort();
    received = 0;
  };
  return {
    signal: AbortSignal.any([outer, stalled.signal]),
    begin: () => {
      timer ??= setInterval(look, stallMs);
    },
    heard: (bytes) => {
      received += bytes;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
