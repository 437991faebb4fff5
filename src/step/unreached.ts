import { cacheKey, type Cache } from '../cache/cache.ts';

/** Hosts that could not be reached or looked at in this run, and why. */
export const UNREACHED = cacheKey<ReadonlyMap<string, unknown>>('unreached');

/** Takes down why a host could not be reached; the first reason stays. */
export function noteUnreached(cache: Cache, host: string, reason: unknown): void {
  const known = cache.get(UNREACHED) ?? new Map<string, unknown>();
  if (!known.has(host)) cache.set(UNREACHED, new Map([...known, [host, reason]]));
}
