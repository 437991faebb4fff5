import { cacheKey, type Cache } from '../../cache/cache.ts';
import type { CheckFinding, HostReport } from './check.ts';
import type { Attempt } from './connectivity/connections.ts';

/** What was seen on each host, by its name. */
export const REPORTS = cacheKey<ReadonlyMap<string, HostReport>>('preflight.reports');

/** What came of hosts calling each other, by the name of the caller. */
export const ATTEMPTS = cacheKey<ReadonlyMap<string, readonly Attempt[]>>('preflight.attempts');

/** All that the checks had to say. */
export const FINDINGS = cacheKey<readonly CheckFinding[]>('preflight.findings');

/** Puts what one host has to say beside what the others said. */
export const addTo = <T>(
  cache: Cache,
  key: ReturnType<typeof cacheKey<ReadonlyMap<string, T>>>,
  host: string,
  value: T,
): void => cache.set(key, new Map([...(cache.get(key) ?? []), [host, value]]));
