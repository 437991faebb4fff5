import { fail } from '../common/errors/errors.ts';
import { EXIT } from '../common/errors/exit-codes.ts';
import { createStop, type Stop } from '../engine/stop.ts';
import type { Console } from './console.ts';

/**
 * Ctrl-C once lets running steps finish, twice stops them, three times exits immediately. A closed terminal counts as one
 * Ctrl-C.
 */
export function listenForInterrupts(notify: (text: string) => void): Disposable & { readonly stop: Stop } {
  const stop = createStop();
  const interrupt = () => {
    if (stop.hard.aborted) process.exit(EXIT.interrupted);
    notify(stop.soft.aborted ? 'Stopping the running steps.' : FINISHING);
    stop.request();
  };
  // The terminal is gone: nobody can answer. Shells and the kernel may both send it, so a second one changes nothing.
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

/** For commands that change nothing: Ctrl-C ends them at once with INTERRUPTED. */
export async function interruptible<T>(console: Console, action: (stop: Stop) => Promise<T>): Promise<T> {
  using interrupts = listenForInterrupts(() => console.note('Stopped.', 'warning'));
  const { stop } = interrupts;
  try {
    return await action(stop);
  } catch (error) {
    throw stop.soft.aborted ? fail('INTERRUPTED', {}) : error;
  }
}

/** Runs an action whose signal is aborted by Ctrl-C, so that it can clean up. */
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
