import { abortable } from './abortable.ts';

/** At most so many at a time; others wait for their turn. */
export interface Slots {
  take(signal?: AbortSignal): Promise<void>;
  /** Takes one only if nobody has to wait for it. */
  tryTake(): boolean;
  free(): void;
  /** The host takes no more than are open now; says whether waiting for one of them can help. */
  shrink(): boolean;
  /** Resolves when none is taken. */
  idle(): Promise<void>;
}

/** `onWait` is called when somebody has to wait. */
export function slots(most: number, onWait: () => void = () => {}): Slots {
  let limit = most;
  let taken = 0;
  const waiting: (() => void)[] = [];
  const idlers: (() => void)[] = [];
  const next = () => {
    while (taken < limit && waiting.length > 0) {
      taken++;
      waiting.shift()?.();
    }
    if (taken === 0) for (const resolve of idlers.splice(0)) resolve();
  };
  const free = () => {
    taken--;
    next();
  };
  return Object.freeze({
    async take(signal?: AbortSignal) {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      next();
      if (waiting.length > 0) onWait();
      await abortable(turn, signal).catch((error: unknown) => {
        void turn.then(free); // nobody wants it any more when it comes
        throw error;
      });
    },
    tryTake() {
      if (taken >= limit || waiting.length > 0) return false;
      taken++;
      return true;
    },
    free,
    shrink() {
      const others = taken - 1;
      limit = Math.max(1, Math.min(limit, others));
      return others > 0;
    },
    idle: () => new Promise<void>((resolve) => (taken === 0 ? resolve() : idlers.push(resolve))),
  });
}
