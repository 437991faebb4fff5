import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Limits } from './schedule.ts';

/** How this process bears its load. */
export interface Load {
  /** By how many milliseconds it comes late to its own work, on average. */
  readonly lateMs: number;
  /** The part of the memory it may have that is in use, 0 to 1. */
  readonly memory: number;
}

/** How many steps may go on at once after this load: half when it is too much, a quarter more when it is little. */
export function nextTotal(total: number, { lateMs, memory }: Load): number {
  if (lateMs > 100 || memory > 0.8) return Math.max(LEAST, Math.floor(total / 2));
  if (lateMs < 20 && memory < 0.6) return Math.min(MOST, Math.ceil(total * 1.25));
  return total;
}

const LEAST = 16;
const FIRST = 512;
const MOST = 4096;

/** Limits that follow the load: what one machine can drive at once is known to nobody beforehand. */
export function adaptiveLimits(perHost: number): Limits & Disposable {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let total = FIRST;
  let raised = () => {};
  const look = () => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const before = total;
    total = nextTotal(total, { lateMs: delay.mean / 1e6 - RESOLUTION_MS, memory: used / limit });
    delay.reset();
    if (total > before) raised();
  };
  delay.enable();
  const timer = setInterval(look, 1000).unref();
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
