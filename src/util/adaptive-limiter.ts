/** Limits how many transfers run at once and adjusts the limit for the highest total throughput. */
export interface AdaptiveLimiter {
  readonly limit: number;
  /** Total throughput so far in bytes per second, idle time excluded; undefined until a transfer has ended. */
  readonly rate: number | undefined;
  /** Waits for a slot and runs the transfer, which resolves with the bytes transferred; 0 is not measured. */
  run(transfer: () => Promise<number>): Promise<number>;
}

/** Raises or lowers the limit by one, and reverses direction when the throughput drops. */
export function createAdaptiveLimiter({ first = 4, most = 32, now = () => performance.now() } = {}): AdaptiveLimiter {
  let limit = first;
  let direction = 1;
  let running = 0;
  let previousRate = 0;
  let window = { since: now(), bytes: 0, ended: 0 };
  const meter = createMeter(now);
  const waiting: (() => void)[] = [];
  const admit = () => {
    while (running < limit && waiting.length > 0) {
      if (running === 0) meter.resume();
      running += 1;
      waiting.shift()?.();
    }
  };
  const record = (bytes: number) => {
    meter.record(bytes);
    window = { ...window, bytes: window.bytes + bytes, ended: window.ended + 1 };
    // If nothing is waiting, the limit does not determine the throughput.
    if (window.ended < limit || waiting.length === 0) return;
    const rate = window.bytes / Math.max(1, now() - window.since);
    if (rate < previousRate * SLOWER) direction = -direction;
    limit = Math.min(most, Math.max(1, limit + direction));
    previousRate = rate;
    window = { since: now(), bytes: 0, ended: 0 };
  };
  return Object.freeze({
    get limit() {
      return limit;
    },
    get rate() {
      return meter.rate;
    },
    async run(transfer: () => Promise<number>): Promise<number> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      try {
        const bytes = await transfer();
        if (bytes > 0) record(bytes);
        return bytes;
      } finally {
        running -= 1;
        admit();
      }
    },
  });
}

const SLOWER = 0.95;

/** Measures the total throughput between `resume` and the last `record`. */
function createMeter(now: () => number) {
  let busySince = 0;
  let bytes = 0;
  let ms = 0;
  return {
    resume() {
      busySince = now();
    },
    record(transferred: number) {
      bytes += transferred;
      ms += now() - busySince;
      busySince = now();
    },
    get rate() {
      return bytes === 0 ? undefined : (bytes * 1000) / Math.max(1, ms);
    },
  };
}
