import { getEventListeners } from 'node:events';
import { fail } from '../../common/errors/errors.ts';
import { createAbortController } from '../../util/abort-signal.ts';
import type { Stop } from '../stop.ts';

/** Sees to it that what was begun ends in time. */
export interface Deadlines {
  /** Does an act: its signal tells it to end, and a deaf one is left behind. */
  within<T>(timeoutMs: number, act: (signal: AbortSignal, flight: Flight) => Promise<T>): Promise<T>;
}

/** Something under way. */
export interface Flight {
  readonly controller: AbortController;
  readonly timeoutMs: number;
  readonly giveUp: (reason: unknown) => void;
  endsAt: number;
  /** The last thing heard of it, for the error. */
  last: string;
  leave: NodeJS.Timeout | undefined;
  place: number;
}

/** One timer for all: a step costs neither a timer nor a listener of its own. `graceMs` is the time to end when told to. */
export function createDeadlines(stop: Stop, graceMs: number): Deadlines {
  // No Set: the tables it outgrows keep what they held alive until the next full collection, all that hangs on it, too.
  const flights: Flight[] = [];
  const spare: AbortController[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  stop.hard.addEventListener('abort', () => {
    for (const flight of flights) end(flight, fail('INTERRUPTED', {}));
  });

  function within<T>(timeoutMs: number, act: (signal: AbortSignal, flight: Flight) => Promise<T>) {
    return new Promise<T>((resolve, giveUp) => {
      const controller = spare.pop() ?? createAbortController();
      const endsAt = Date.now() + timeoutMs;
      const place = flights.length;
      const flight: Flight = { controller, endsAt, timeoutMs, giveUp, last: '', leave: undefined, place };
      flights.push(flight);
      wakeAt(endsAt);
      if (stop.hard.aborted) end(flight, fail('INTERRUPTED', {}));
      const { signal } = controller;
      const broke = (error: unknown) => {
        land(flight);
        giveUp(signal.aborted ? signal.reason : error);
      };
      try {
        act(signal, flight).then((value) => {
          land(flight);
          return resolve(value);
        }, broke);
      } catch (error) {
        broke(error);
      }
    });
  }

  function land(flight: Flight): void {
    forget(flight);
    keep(flight.controller);
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
    const last = flights[flight.place] === flight ? flights.pop() : undefined;
    if (last && last !== flight) {
      flights[flight.place] = last;
      last.place = flight.place;
    }
    if (flights.length > 0) return;
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
      if (endsAt <= now) end(flight, fail('STEP_TIMED_OUT', { seconds: timeoutMs / 1000, last }));
      else next = Math.min(next, endsAt);
    }
    wakeAt(next);
  }

  return Object.freeze({ within });
}

const LONGEST_TIMER = 2 ** 31 - 1;
