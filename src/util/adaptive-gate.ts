/** Lets as many acts go on at once as bring the most bytes through: how many that is, only trying tells. */
export interface Gate {
  readonly width: number;
  /** Waits for its turn, then acts; `bytes` is what it brings through. */
  run<T>(bytes: number, act: () => Promise<T>): Promise<T>;
}

/** One wider while that makes it faster, one narrower when it made it slower. */
export function createGate({ first = 4, most = 32, now = () => performance.now() } = {}): Gate {
  let width = first;
  let direction = 1;
  let going = 0;
  let earlier = 0;
  let window = { since: now(), bytes: 0, ended: 0 };
  const waiting: (() => void)[] = [];
  const letIn = () => {
    while (going < width && waiting.length > 0) {
      going += 1;
      waiting.shift()?.();
    }
  };
  const ended = (bytes: number) => {
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
    async run<T>(bytes: number, act: () => Promise<T>): Promise<T> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        letIn();
      });
      try {
        const result = await act();
        ended(bytes);
        return result;
      } finally {
        going -= 1;
        letIn();
      }
    },
  });
}

const SLOWER = 0.95;
