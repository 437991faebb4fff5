import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { Registries } from './registry.ts';

/** The result of a login attempt. */
export type LoginResult =
  | { readonly type: 'accepted' }
  | { readonly type: 'denied' }
  | { readonly type: 'unreachable'; readonly reason: string };

/** Tries to log in to a registry with the configured credentials, if any. */
export async function checkLogin(registries: Registries, host: string, signal: AbortSignal): Promise<LoginResult> {
  const registry = registries.get(host);
  try {
    const response = await registry.http.request(registry.url('/v2/'), { item: host, signal });
    await response.discard();
    if (response.status === 200) return { type: 'accepted' };
    if (response.status === 401 || response.status === 403) return { type: 'denied' };
    return {
      type: 'unreachable',
      reason: `/v2/ returned HTTP ${response.status}; expected 200, 401 or 403`,
    };
  } catch (error) {
    if (signal.aborted) throw fail('INTERRUPTED', {}, error);
    if (error instanceof KubexmError && error.code === 'REGISTRY_DENIED') return { type: 'denied' };
    return { type: 'unreachable', reason: reasonOf(error) };
  }
}

/** Reports the cause of "fetch failed", which is not helpful on its own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === 'fetch failed' ? error.cause.message : error.message;
}
