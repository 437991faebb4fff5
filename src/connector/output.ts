import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../common/errors/errors.ts';

/** Everything a stream gives until it ends, however it ends. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await streamEnd(stream);
  return Buffer.concat(chunks);
}

/** Resolves when a stream is over, be it by an end, an error or a drop. */
export const streamEnd = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });

/** Whether an error says no more than that the connection went away. */
export const isDrop = (error: unknown): boolean => error instanceof KubexmError && error.code === 'CONNECTION_LOST';

/** Does something again that is safe to repeat while connections drop, a few times. */
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

/** The first drop may be mere chance; connections that drop again and again need a while. */
export const pauseAfterDrop = (drops: number): Promise<void> =>
  drops < 2 ? Promise.resolve() : sleep(Math.min(50 * 2 ** drops, 5000));

export const MAX_DROPS = 10;
