import { cacheKey, type Cache } from '../../cache/cache.ts';

/** Hosts that could not be reached or looked at, and why; it grows while a run goes on. */
export const UNREACHED = cacheKey<Map<string, unknown>>('unreached');

/** Takes down why a host could not be looked at; the first reason stays. */
export function noteUnreached(cache: Cache, host: string, reason: unknown): void {
  const known = cache.get(UNREACHED) ?? new Map<string, unknown>();
  if (!known.has(host)) known.set(host, reason);
  cache.set(UNREACHED, known);
}
