import { fail } from '../common/errors.ts';

/** The time a step has, and who may end it earlier. */
export interface Deadline {
  readonly timeoutMs: number;
  /** Ends it at once: the user asked twice. */
  readonly hard: AbortSignal;
  /** How long something that was told to end may take to do so, before it is left alone. */
  readonly graceMs?: number;
  /** The last thing heard of it, for the error. */
  readonly last?: () => string;
}

/** Does an act that has to end in time: its signal tells it to, and a deaf one is left behind. */
export function withDeadline<T>(deadline: Deadline, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs, hard, graceMs = GRACE, last } = deadline;
  const controller = new AbortController();
  const { signal } = controller;
  return new Promise((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const end = (reason: unknown) => {
      if (signal.aborted) return;
      controller.abort(reason);
      grace = setTimeout(() => finish(() => reject(signal.reason)), graceMs);
    };
    const timer = setTimeout(
      () => end(fail('STEP_TIMED_OUT', { seconds: timeoutMs / 1000, last: last?.() ?? '' })),
      timeoutMs,
    );
    const onHard = () => end(fail('INTERRUPTED', {}));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(grace);
      hard.removeEventListener('abort', onHard);
      settle();
    };
    if (hard.aborted) onHard();
    else hard.addEventListener('abort', onHard);
    act(signal).then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(signal.aborted ? signal.reason : error)),
    );
  });
}

const GRACE = 10_000;
