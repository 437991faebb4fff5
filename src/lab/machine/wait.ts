import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';

/** The answer to "is it so?": yes with a value, or not yet and what was heard instead. */
export type Answer<T> = { readonly done: true; readonly value: T } | { readonly done: false; readonly heard: string };

/** Asks again, at growing intervals, until the answer is yes. */
export async function waitUntil<T>(wait: Wait, ask: () => Promise<Answer<T>>): Promise<T> {
  const end = Date.now() + wait.seconds * 1000;
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 2000)) {
    const answer = await ask();
    if (answer.done) return answer.value;
    if (wait.signal?.aborted) throw fail('INTERRUPTED', {});
    if (Date.now() > end) {
      const { machine, lab, wanted, seconds } = wait;
      throw fail('LAB_NOT_READY', { machine, lab, wanted, seconds, last: answer.heard.trim() || 'none' });
    }
    await sleep(pause);
  }
}

/** What is waited for, and how long. */
export interface Wait {
  readonly machine: string;
  readonly lab: string;
  /** Follows the name of the machine: "to answer over SSH". */
  readonly wanted: string;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}
