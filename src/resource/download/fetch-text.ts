import { setTimeout as pause } from 'node:timers/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import type { Patience } from './downloader.ts';
import type { Http, HttpRequest } from './http.ts';

/** A short text that a server was asked for, or why it did not tell. */
export type Answered =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'none';
      readonly reason: string;
      /** There was no answer at all. */
      readonly silent: boolean;
    };

/** Asks a few times where that may help. */
export async function ask(
  http: Http,
  url: string,
  request: HttpRequest & { readonly signal: AbortSignal },
  patience: Patience,
): Promise<Answered> {
  let reason = '';
  let silent = false;
  for (let tries = 1; tries <= patience.tries; tries++) {
    if (tries > 1)
      await pause(patience.pauseMs * 2 ** (tries - 2), undefined, { signal: request.signal }).catch(() => {});
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(patience.answerMs)]);
      const answer = await http.request(url, { ...request, signal });
      const text = await answer.text();
      if (answer.status === 200) return { type: 'text', text };
      reason = `it answered ${answer.status}`;
      silent = false;
      if (answer.status < 500 && answer.status !== 429) break;
    } catch (error) {
      if (request.signal.aborted) throw fail('INTERRUPTED', {}, error);
      if (error instanceof KubexmError && error.code === 'OFFLINE_MISSING') throw error;
      reason = withoutCredentials(error instanceof Error ? error.message : String(error));
      silent = !(error instanceof KubexmError);
      if (!silent) break;
    }
  }
  return { type: 'none', reason, silent };
}
