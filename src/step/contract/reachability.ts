import { cacheKey, type Cache } from '../../cache/cache.ts';
import type { Host } from '../../common/host.ts';
import { sh } from '../../runner/command.ts';
import type { Runner } from '../../runner/runner.ts';
import type { StepContext } from './part.ts';

/** Hosts that could not be connected to or inspected, each with the error; grows during a run. */
export const UNREACHABLE_HOSTS = cacheKey<Map<string, unknown>>('unreached');

/** Records why a host is unreachable; the first reason wins. */
export function recordUnreachable(cache: Cache, host: string, reason: unknown): void {
  const known = cache.get(UNREACHABLE_HOSTS) ?? new Map<string, unknown>();
  if (!known.has(host)) known.set(host, reason);
  cache.set(UNREACHABLE_HOSTS, known);
}

/** The runner of another host; undefined if the host is not connected. */
export function runnerIfReachable(ctx: Pick<StepContext, 'on'>, host: Host): Runner | undefined {
  try {
    return ctx.on(host);
  } catch {
    return undefined;
  }
}

/** Whether another host responds now. */
export async function responds(ctx: Pick<StepContext, 'on'>, host: Host): Promise<boolean> {
  try {
    return (await ctx.on(host).query(sh`true`)).exit === 0;
  } catch {
    return false;
  }
}
