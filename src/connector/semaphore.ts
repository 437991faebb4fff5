import { abortable } from './abortable.ts';

/** A counting semaphore for the channels of one connection. */
export interface Semaphore {
  acquire(signal?: AbortSignal): Promise<void>;
  /** Acquires a slot only if this is possible without waiting. */
  tryAcquire(): boolean;
  release(): void;
  hasWaiters(): boolean;
  /** Lowers the limit after the host refused a channel. Returns false if there is no open channel to wait for. */
  lowerLimit(): boolean;
  /** Resolves when no slot is acquired. */
  idle(): Promise<void>;
}

/** Creates a semaphore. Calls `onWait` when a caller has to wait. */
export function createSemaphore(initialLimit: number, onWait: () => void = () => {}): Semaphore {
  let limit = initialLimit;
  let acquired = 0;
  const waiting: (() => void)[] = [];
  const idleListeners: (() => void)[] = [];
  const admit = () => {
    while (acquired < limit && waiting.length > 0) {
      acquired++;
      waiting.shift()?.();
    }
    if (acquired === 0) for (const resolve of idleListeners.splice(0)) resolve();
  };
  const release = () => {
    acquired--;
    admit();
  };
  return Object.freeze({
    async acquire(signal?: AbortSignal) {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      admit();
      if (waiting.length > 0) onWait();
      await abortable(turn, signal).catch((error: unknown) => {
        void turn.then(release); // the caller no longer waits when its turn comes
        throw error;
      });
    },
    tryAcquire() {
      if (acquired >= limit || waiting.length > 0) return false;
      acquired++;
      return true;
    },
    release,
    hasWaiters: () => waiting.length > 0,
    lowerLimit() {
      const others = acquired - 1;
      limit = Math.max(1, Math.min(limit, others));
      return others > 0;
    },
    idle: () => new Promise<void>((resolve) => (acquired === 0 ? resolve() : idleListeners.push(resolve))),
  });
}
