/** Lets as many acts go on at once as bring the most bytes through: how many that is, only trying tells. */
export interface Gate {
  readonly width: number;
  /** Bytes in a second that came through so far, all acts together; undefined until one has ended. */
  readonly rate: number | undefined;
  /** Waits for its turn, then acts; the act tells how many bytes it brought through, 0 when it brought none. */
  run(act: () => Promise<number>): Promise<number>;
}

/** One wider while that makes it faster, one narrower when it made it slower. */
export function createGate({ first = 4, most = 32, now = () => performance.now() } = {}): Gate {
  let width = first;
  let direction = 1;
  let going = 0;
  let earlier = 0;
  let window = { since: now(), bytes: 0, ended: 0 };
  let busySince = 0;
  const all = { bytes: 0, ms: 0 };
  const waiting: (() => void)[] = [];
  const letIn = () => {
    while (going < width && waiting.length > 0) {
      if (going === 0) busySince = now();
      going += 1;
      waiting.shift()?.();
    }
  };
  const ended = (bytes: number) => {
    all.bytes += bytes;
    all.ms += now() - busySince;
    busySince = now();
    window = { ...window, bytes: window.bytes + bytes, ended: window.ended + 1 };
    // Where nobody waits, the width is not what it depends on.
    if (window.ended < width || waiting.length === 0) return;
    const rate = window.bytes / Math.max(1, now() - window.since);
    if (rate < earlier * SLOWER) direction = -direction;
    width = Math.min(most, Math.max(1, width + direction));
    earlier = rate;
    window = { since: now(), bytes: 0, ended: 0 };
  };
  return Object.freeze({
    get width() {
      return width;
    },
    get rate() {
      return all.bytes === 0 ? undefined : (all.bytes * 1000) / Math.max(1, all.ms);
    },
    async run(act: () => Promise<number>): Promise<number> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        letIn();
      });
      try {
        const bytes = await act();
        if (bytes > 0) ended(bytes);
        return bytes;
      } finally {
        going -= 1;
        letIn();
      }
    },
  });
}

const SLOWER = 0.95;
