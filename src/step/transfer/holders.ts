import { cacheKey } from '../../cache/cache.ts';
import type { Host } from '../../common/host.ts';
import type { StepContext } from '../contract/part.ts';

/** A staged file, at the same path on all hosts. */
export interface SharedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** A host that has a file or is receiving it. */
export interface Holder {
  readonly host: Host;
  /** How many hosts the file passes on its way to this one. */
  readonly depth: number;
  /** Aborted if the host does not receive the file after all. */
  readonly failed?: AbortSignal;
  /** The number of hosts that it serves the file to now. */
  serving: number;
}

/** Which hosts have which files, and which transfers between hosts failed, during one run. */
interface FileSources {
  /** By path, which contains the checksum, then by host name. */
  readonly holders: Map<string, Map<string, Holder>>;
  /** Per host, the hosts that it failed to send to or to receive from since its last successful transfer. */
  readonly failures: Map<string, Set<string>>;
  succeeded: number;
  failed: number;
}

/** Registers the host as a source of the file; returns a function that undoes it. */
export function registerHolder(
  ctx: StepContext,
  { path }: SharedFile,
  how: Pick<Holder, 'depth' | 'failed'>,
): () => void {
  const { holders } = sourcesOf(ctx);
  const { host } = ctx;
  const known = holders.get(path) ?? new Map<string, Holder>();
  holders.set(path, known);
  const holder: Holder = { host, ...how, serving: 0 };
  known.set(host.name, holder);
  return () => void (known.get(host.name) === holder && known.delete(host.name));
}

/** Whether the host is registered as a source of the file. */
export const isHolder = (ctx: StepContext, { path }: SharedFile): boolean =>
  sourcesOf(ctx).holders.get(path)?.has(ctx.host.name) ?? false;

/** The best host to get the file from; undefined if none can serve it now. */
export function findHolder(ctx: StepContext, { path }: SharedFile): Holder | undefined {
  const sources = sourcesOf(ctx);
  const { name } = ctx.host;
  if (!isUsable(sources, name) || (sources.succeeded === 0 && sources.failed >= MAX_FAILURES)) return undefined;
  let best: Holder | undefined;
  for (const holder of sources.holders.get(path)?.values() ?? []) {
    const { host, serving } = holder;
    if (host.name === name || serving >= MAX_SERVING || sources.failures.get(name)?.has(host.name)) continue;
    if (isUsable(sources, host.name) && (!best || rank(sources, holder) < rank(sources, best))) best = holder;
  }
  return best;
}

/**
 * Hosts without failures first. A host that serves nobody comes before one that does, because the second receiver would
 * halve the speed of both, until the file has to pass too many hosts.
 */
const rank = ({ failures }: FileSources, { host, depth, serving }: Holder): number =>
  (failures.get(host.name)?.size ?? 0) * 1_000_000 +
  (depth >= MAX_DEPTH ? 100_000 + depth * 10 + serving : serving * 1000 + depth);

/** Each host that receives the file serves it too, so two receivers per host are enough. */
const MAX_SERVING = 2;
const MAX_DEPTH = 8;

/** A host that failed with two others is probably the cause itself, for example because of its firewall. */
const isUsable = ({ failures }: FileSources, host: string) => (failures.get(host)?.size ?? 0) < 2;

/** After this many failures and no success, hosts probably cannot connect to each other at all. */
const MAX_FAILURES = 3;

export function recordSuccess(ctx: StepContext, from: Host): void {
  const sources = sourcesOf(ctx);
  sources.succeeded += 1;
  for (const { name } of [ctx.host, from]) sources.failures.delete(name);
}

export function recordFailure(ctx: StepContext, from: Host): void {
  const sources = sourcesOf(ctx);
  const { failures } = sources;
  const { host } = ctx;
  sources.failed += 1;
  failures.set(host.name, new Set(failures.get(host.name)).add(from.name));
  failures.set(from.name, new Set(failures.get(from.name)).add(host.name));
}

const SOURCES = cacheKey<FileSources>('fan-out');

function sourcesOf({ cache }: StepContext): FileSources {
  const sources: FileSources = cache.get(SOURCES) ?? {
    holders: new Map(),
    failures: new Map(),
    succeeded: 0,
    failed: 0,
  };
  cache.set(SOURCES, sources);
  return sources;
}
