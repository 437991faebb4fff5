import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../common/errors/errors.ts';

export const isDrop = (error: unknown): boolean => error instanceof KubexmError && error.code === 'CONNECTION_LOST';

/** Repeats an idempotent operation after a connection loss, up to MAX_DROPS times. */
export async function retryAfterDrop<T>(host: string, doing: string, attempt: () => Promise<T>): Promise<T> {
  for (let drops = 1; ; drops++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDrop(error)) throw error;
      if (drops === MAX_DROPS) {
        throw fail('CONNECTION_LOST', { host, doing, reason: `it dropped ${drops} times in a row` }, error);
      }
      await pauseAfterDrop(drops);
    }
  }
}

/** Retries immediately after the first connection loss, then with exponential backoff. */
export const pauseAfterDrop = (drops: number): Promise<void> =>
  drops < 2 ? Promise.resolve() : sleep(Math.min(50 * 2 ** drops, 5000));

export const MAX_DROPS = 10;
