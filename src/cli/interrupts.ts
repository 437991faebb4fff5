import { EXIT } from '../common/errors/exit-codes.ts';
import { createStop, type Stop } from '../engine/stop.ts';

/** Ctrl-C once ends well, twice stops what is in flight; the third one does not wait for that. */
export function listenForInterrupts(say: (text: string) => void): Disposable & { readonly stop: Stop } {
  const stop = createStop();
  const interrupt = () => {
    if (stop.hard.aborted) process.exit(EXIT.interrupted);
    say(stop.soft.aborted ? 'Stopping the steps in flight.' : FIRST);
    stop.request();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    stop,
    [Symbol.dispose]: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}

const FIRST = 'Finishing the steps in flight; press Ctrl-C again to stop them.';
