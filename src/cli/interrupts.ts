import { fail } from '../common/errors/errors.ts';
import { EXIT } from '../common/errors/exit-codes.ts';
import { createStop, type Stop } from '../engine/stop.ts';
import type { Console } from './console.ts';

/**
 * Handles interrupts: the first Ctrl-C lets running steps finish, the second stops them, the third exits immediately. A
 * closed terminal counts as one Ctrl-C.
 */
export function listenForInterrupts(notify: (text: string) => void): Disposable & { readonly stop: Stop } {
  const stop = createStop();
  const interrupt = () => {
    if (stop.hard.aborted) process.exit(EXIT.interrupted);
    notify(stop.soft.aborted ? 'Stopping the running steps.' : FINISHING);
    stop.request();
  };
  // The shell and the kernel may both send SIGHUP when the terminal is closed, so a second SIGHUP is ignored.
  const hangUp = () => {
    if (!stop.soft.aborted) interrupt();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  process.on('SIGHUP', hangUp);
  return {
    stop,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      process.off('SIGHUP', hangUp);
    },
  };
}

const FINISHING = 'Waiting for the running steps to finish; press Ctrl-C again to stop them.';

/** Runs an action that changes nothing; Ctrl-C aborts it immediately with INTERRUPTED. */
export async function interruptible<T>(console: Console, action: (stop: Stop) => Promise<T>): Promise<T> {
  using interrupts = listenForInterrupts(() => console.note('Stopped.', 'warning'));
  const { stop } = interrupts;
  try {
    return await action(stop);
  } catch (error) {
    throw stop.soft.aborted ? fail('INTERRUPTED', {}) : error;
  }
}

/** Runs an action with a signal that Ctrl-C aborts, so that the action can clean up. */
export async function abortOnInterrupt<T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort).once('SIGHUP', abort);
  try {
    return await action(controller.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort).off('SIGHUP', abort);
  }
}
