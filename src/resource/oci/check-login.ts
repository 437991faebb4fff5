import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { Registries } from './registry.ts';

/** How a registry takes somebody who comes. */
export type Welcome =
  { readonly type: 'in' } | { readonly type: 'denied' } | { readonly type: 'unreachable'; readonly reason: string };

/** Asks a registry whether it lets us in. */
export async function enter(registries: Registries, host: string, signal: AbortSignal): Promise<Welcome> {
  const registry = registries.get(host);
  try {
    const answer = await registry.http.request(registry.url('/v2/'), { item: host, signal });
    await answer.drop();
    if (answer.status === 200) return { type: 'in' };
    if (answer.status === 401 || answer.status === 403) return { type: 'denied' };
    return { type: 'unreachable', reason: `it answered ${answer.status} to /v2/, which a registry does not` };
  } catch (error) {
    if (signal.aborted) throw fail('INTERRUPTED', {}, error);
    if (error instanceof KubexmError && error.code === 'REGISTRY_DENIED') return { type: 'denied' };
    return { type: 'unreachable', reason: reasonOf(error) };
  }
}

/** What is behind a failed request, where it is told. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === 'fetch failed' ? error.cause.message : error.message;
}
