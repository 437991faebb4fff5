import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Limits } from './schedule.ts';

/** The load of this process. */
export interface Load {
  /** The average delay of the event loop in milliseconds. */
  readonly lateMs: number;
  /** The used fraction of the heap limit, 0 to 1. */
  readonly memory: number;
}

/**
 * Returns the next limit for concurrent steps: half the current limit under high load, a quarter more under low load.
 */
export function nextTotal(total: number, { lateMs, memory }: Load): number {
  if (lateMs > 100 || memory > 0.8) return Math.max(LEAST, Math.floor(total / 2));
  if (lateMs < 20 && memory < 0.6) return Math.min(MOST, Math.ceil(total * 1.25));
  return total;
}

const LEAST = 16;
const FIRST = 512;
const MOST = 4096;

/** Creates limits that adapt to the load, because the capacity of a machine is not known in advance. */
export function adaptiveLimits(perHost: number): Limits & Disposable {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let total = FIRST;
  let raised = () => {};
  const adjust = () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const before = total;
    total = nextTotal(total, { lateMs: delay.mean / 1e6 - RESOLUTION_MS, memory: used / limit });
    delay.reset();
    if (total > before) raised();
  };
  delay.enable();
  const timer = setInterval(adjust, 1000).unref();
  return {
    get total() {
      return total;
    },
    perHost,
    onRaise: (listener) => (raised = listener),
    [Symbol.dispose]: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}

const RESOLUTION_MS = 20;
