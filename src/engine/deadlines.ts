import { getEventListeners } from 'node:events';
import { fail } from '../common/errors.ts';
import type { Stop } from './stop.ts';

/** Sees to it that what was begun ends in time. */
export interface Deadlines {
  /** Does an act: its signal tells it to end, and a deaf one is left behind. `last` is what was heard of it last. */
  within<T>(timeoutMs: number, act: (signal: AbortSignal) => Promise<T>, last?: () => string): Promise<T>;
}

/** One timer for all: a step costs neither a timer nor a listener of its own. `graceMs` is the time to end when told to. */
export function createDeadlines(stop: Stop, graceMs: number): Deadlines {
  const flights = new Set<Flight>();
  const spare: AbortController[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  stop.hard.addEventListener('abort', () => {
    for (const flight of flights) end(flight, fail('INTERRUPTED', {}));
  });

  function within<T>(timeoutMs: number, act: (signal: AbortSignal) => Promise<T>, last = () => '') {
    const controller = spare.pop() ?? new AbortController();
    const { signal } = controller;
    return new Promise<T>((resolve, reject) => {
      const flight: Flight = { controller, endsAt: Date.now() + timeoutMs, timeoutMs, last, giveUp: reject };
      flights.add(flight);
      wakeAt(flight.endsAt);
      if (stop.hard.aborted) end(flight, fail('INTERRUPTED', {}));
      const settle = (value: T | PromiseLike<T>) => {
        forget(flight);
        keep(controller);
        resolve(value);
      };
      act(signal).then(settle, (error: unknown) => settle(Promise.reject(signal.aborted ? signal.reason : error)));
    });
  }

  /** A signal that nobody listens to any more serves the next step. */
  function keep(controller: AbortController): void {
    const { signal } = controller;
    if (!signal.aborted && getEventListeners(signal, 'abort').length === 0) spare.push(controller);
  }

  function end(flight: Flight, reason: Error): void {
    const { controller, giveUp } = flight;
    if (controller.signal.aborted) return;
    controller.abort(reason);
    flight.endsAt = Infinity;
    flight.leave = setTimeout(() => {
      forget(flight);
      giveUp(reason);
    }, graceMs);
  }

  function forget(flight: Flight): void {
    clearTimeout(flight.leave);
    flights.delete(flight);
    if (flights.size > 0) return;
    clearTimeout(timer);
    wakesAt = Infinity;
  }

  function wakeAt(time: number): void {
    if (time >= wakesAt) return;
    wakesAt = time;
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(time - Date.now(), LONGEST_TIMER));
  }

  function wake(): void {
    const now = Date.now();
    wakesAt = Infinity;
    let next = Infinity;
    for (const flight of flights) {
      const { endsAt, timeoutMs, last } = flight;
      if (endsAt <= now) end(flight, fail('STEP_TIMED_OUT', { seconds: timeoutMs / 1000, last: last() }));
      else next = Math.min(next, endsAt);
    }
    wakeAt(next);
  }

  return Object.freeze({ within });
}

const LONGEST_TIMER = 2 ** 31 - 1;

interface Flight {
  readonly controller: AbortController;
  readonly timeoutMs: number;
  readonly last: () => string;
  readonly giveUp: (reason: unknown) => void;
  endsAt: number;
  leave?: NodeJS.Timeout;
}
