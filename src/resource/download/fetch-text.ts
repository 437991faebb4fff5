import { setTimeout as pause } from 'node:timers/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { signalWithTimeout } from '../../util/abort-signal.ts';
import type { RetryPolicy } from './downloader.ts';
import type { Http, HttpRequest } from './http.ts';

/** A short text from a server, or the reason why it could not be fetched. */
export type TextResult =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'none';
      readonly reason: string;
      /** Whether the server sent no response at all. */
      readonly unresponsive: boolean;
    };

/** Fetches a short text. Retries after errors that may be temporary. */
export async function fetchText(
  http: Http,
  url: string,
  request: HttpRequest & { readonly signal: AbortSignal },
  retry: RetryPolicy,
): Promise<TextResult> {
  let reason = '';
  let unresponsive = false;
  for (let attempt = 1; attempt <= retry.attempts; attempt++) {
    if (attempt > 1)
      await pause(retry.backoffMs * 2 ** (attempt - 2), undefined, { signal: request.signal }).catch(() => {});
    try {
      const signal = signalWithTimeout([request.signal], retry.responseTimeoutMs);
      const response = await http.request(url, { ...request, signal });
      const text = await response.text();
      if (response.status === 200) return { type: 'text', text };
      reason = `HTTP ${response.status}`;
      unresponsive = false;
      if (response.status < 500 && response.status !== 429) break;
    } catch (error) {
      if (request.signal.aborted) throw fail('INTERRUPTED', {}, error);
      if (error instanceof KubexmError && error.code === 'OFFLINE_MISSING') throw error;
      reason = withoutCredentials(error instanceof Error ? error.message : String(error));
      unresponsive = !(error instanceof KubexmError);
      if (!unresponsive) break;
    }
  }
  return { type: 'none', reason, unresponsive };
}
