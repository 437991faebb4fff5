import { getEventListeners } from 'node:events';
import { fail } from '../../common/errors/errors.ts';
import { createAbortController } from '../../util/abort-signal.ts';
import type { Stop } from '../stop.ts';

/** Enforces timeouts: aborts the signal first, and stops waiting if the operation does not react. */
export interface Deadlines {
  /** The first interrupt aborts the operation if it `stopsAtOnce`, otherwise the second one does. */
  within<T>(
    timeoutMs: number,
    act: (signal: AbortSignal, deadline: Deadline) => Promise<T>,
    stopsAtOnce?: boolean,
  ): Promise<T>;
}

/** An operation with a timeout. */
export interface Deadline {
  readonly controller: AbortController;
  readonly timeoutMs: number;
  readonly giveUp: (reason: unknown) => void;
  endsAt: number;
  /** The last output line, for the error message. */
  lastLine: string;
  graceTimer: NodeJS.Timeout | undefined;
  /** Position in the list. */
  index: number;
}

/**
 * Creates deadlines that share one timer, so that a step needs neither a timer nor a listener. `graceMs` is the time
 * that an operation has to react to the signal.
 */
export function createDeadlines(stop: Stop, graceMs: number): Deadlines {
  const running = createDeadlineList(abort);
  const spare: AbortController[] = [];
  const stoppable = new Set<Deadline>();
  stop.soft.addEventListener('abort', () => {
    for (const deadline of stoppable) abort(deadline, fail('INTERRUPTED', {}));
  });
  stop.hard.addEventListener('abort', () => {
    for (const deadline of running.all) abort(deadline, fail('INTERRUPTED', {}));
  });

  function within<T>(
    timeoutMs: number,
    act: (signal: AbortSignal, deadline: Deadline) => Promise<T>,
    stopsAtOnce = false,
  ) {
    return new Promise<T>((resolve, giveUp) => {
      const controller = spare.pop() ?? createAbortController();
      const deadline = running.add(controller, timeoutMs, giveUp);
      if (stopsAtOnce) stoppable.add(deadline);
      if (stop.hard.aborted) abort(deadline, fail('INTERRUPTED', {}));
      const { signal } = controller;
      const failed = (error: unknown) => {
        end(deadline);
        giveUp(signal.aborted ? signal.reason : error);
      };
      try {
        act(signal, deadline).then((value) => {
          end(deadline);
          return resolve(value);
        }, failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  /** Reuses a signal without listeners for the next step. */
  function end(deadline: Deadline): void {
    running.remove(deadline);
    stoppable.delete(deadline);
    const { signal } = deadline.controller;
    if (!signal.aborted && getEventListeners(signal, 'abort').length === 0) spare.push(deadline.controller);
  }

  function abort(deadline: Deadline, reason: Error): void {
    const { controller, giveUp } = deadline;
    if (controller.signal.aborted) return;
    controller.abort(reason);
    deadline.endsAt = Infinity;
    deadline.graceTimer = setTimeout(() => {
      running.remove(deadline);
      giveUp(reason);
    }, graceMs);
  }

  return Object.freeze({ within });
}

/** Creates the list of active deadlines, with a timer for the next one. */
function createDeadlineList(abort: (deadline: Deadline, reason: Error) => void) {
  // An array instead of a Set, because the old tables of a growing Set keep their content alive until the next full
  // garbage collection.
  const all: Deadline[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;

  function add(controller: AbortController, timeoutMs: number, giveUp: Deadline['giveUp']): Deadline {
    const endsAt = Date.now() + timeoutMs;
    const index = all.length;
    const deadline: Deadline = { controller, timeoutMs, giveUp, endsAt, lastLine: '', graceTimer: undefined, index };
    all.push(deadline);
    wakeAt(endsAt);
    return deadline;
  }

  function remove(deadline: Deadline): void {
    clearTimeout(deadline.graceTimer);
    const last = all[deadline.index] === deadline ? all.pop() : undefined;
    if (last && last !== deadline) {
      all[deadline.index] = last;
      last.index = deadline.index;
    }
    if (all.length > 0) return;
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
    for (const deadline of all) {
      const { endsAt, timeoutMs, lastLine } = deadline;
      if (endsAt <= now) abort(deadline, fail('STEP_TIMED_OUT', { seconds: timeoutMs / 1000, last: lastLine }));
      else next = Math.min(next, endsAt);
    }
    wakeAt(next);
  }

  return { all, add, remove };
}

const LONGEST_TIMER = 2 ** 31 - 1;
