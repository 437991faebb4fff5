import { cacheKey, type Cache } from '../../cache/cache.ts';
import type { CheckFinding, HostReport } from './check.ts';
import type { Attempt } from './connectivity/attempt.ts';

/** The report of each probed host, by host name. */
export const REPORTS = cacheKey<ReadonlyMap<string, HostReport>>('preflight.reports');

/** The connection attempts of each host, by the name of the caller. */
export const ATTEMPTS = cacheKey<ReadonlyMap<string, readonly Attempt[]>>('preflight.attempts');

/** The findings of all checks. */
export const FINDINGS = cacheKey<readonly CheckFinding[]>('preflight.findings');

/** Adds the result of one host to those of the other hosts. */
export const addTo = <T>(
  cache: Cache,
  key: ReturnType<typeof cacheKey<ReadonlyMap<string, T>>>,
  host: string,
  value: T,
): void => cache.set(key, new Map([...(cache.get(key) ?? []), [host, value]]));
