import { randomBytes } from 'node:crypto';
import { cacheKey } from '../../cache/cache.ts';
import type { Host } from '../../common/host.ts';
import { sh, type Command } from '../../runner/command.ts';
import { SHA256_FUNCTION } from '../../runner/path-commands.ts';
import { PERL_SERVER, PYTHON_SERVER } from './fan-out-program.ts';
import type { StepContext } from '../contract/part.ts';

/** A staged file, at the same path on all hosts. */
export interface SharedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** A host that has a file, and the number of hosts it serves it to now. */
interface Holder {
  readonly host: Host;
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

/** Registers the host as a source of the file for other hosts. */
export function offer(ctx: StepContext, { path }: SharedFile): void {
  const { holders } = sourcesOf(ctx);
  const known = holders.get(path) ?? new Map<string, Holder>();
  if (!known.has(ctx.host.name)) known.set(ctx.host.name, { host: ctx.host, serving: 0 });
  holders.set(path, known);
}

/** Whether another host has the file and can serve it now. */
export const isOffered = (ctx: StepContext, file: SharedFile): boolean => holderOf(ctx, file) !== undefined;

/**
 * Downloads a file from another host; false if no host can serve it or the transfer failed. The other host listens on a
 * free port for a single connection from this host with the right token. The file is kept only if its checksum matches.
 */
export async function fetchFromPeer(ctx: StepContext, file: SharedFile): Promise<boolean> {
  const holder = holderOf(ctx, file);
  if (!holder) return false;
  holder.serving += 1;
  try {
    await transfer(ctx, holder.host, file);
    recordSuccess(ctx, holder.host);
    return true;
  } catch (error) {
    ctx.signal.throwIfAborted();
    recordFailure(ctx, holder.host);
    ctx.say(`download from ${holder.host.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    holder.serving -= 1;
  }
}

async function transfer(ctx: StepContext, from: Host, file: SharedFile): Promise<void> {
  const token = randomBytes(16).toString('hex');
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal]);
  let resolvePort: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => (resolvePort = resolve));
  const serving = ctx
    .on(from)
    .run(serve(file.path, ctx.host.address), { stdin: token, signal, onLine: (line) => resolvePort(line) });
  const fetching = Promise.race([port, serving.then(() => '')]).then((at) =>
    ctx.runner.run(fetch(file, from.address, at), { stdin: token, signal }),
  );
  try {
    await Promise.all([serving, fetching]);
  } finally {
    over.abort();
    await Promise.allSettled([serving, fetching]);
  }
}

const WAIT_SECONDS = 10;

const serve = (path: string, to: string): Command => ({
  text: sh`for p in perl python3 python2 python /usr/libexec/platform-python; do
  command -v $p >/dev/null || continue
  case $p in perl) exec perl -e ${PERL_SERVER} ${path} ${to} ${WAIT_SECONDS} ;; *) exec $p -c ${PYTHON_SERVER} ${path} ${to} ${WAIT_SECONDS} ;; esac
done; echo 'neither perl nor python is installed' >&2; exit 1`.text,
  display: `serve ${path} to ${to}`,
});

const fetch = ({ path, size, sha256 }: SharedFile, from: string, port: string): Command => ({
  text: sh`umask 077; t=${path}.peer; trap 'rm -f -- "$t"' EXIT; rm -f -- "$t"
bash -c 'read -r word; exec 3<>"/dev/tcp/$0/$1" || exit; printf "%s\n" "$word" >&3; exec head -c "$2" <&3' ${from} ${port} ${size} >"$t" || exit
${SHA256_FUNCTION}
[ "$(sha256_of "$t")" = ${sha256} ] || { echo 'checksum does not match' >&2; exit 1; }
sync -- "$t" && mv -fT -- "$t" ${path}`.text,
  display: `download ${path} from ${from}`,
});

function holderOf(ctx: StepContext, { path }: SharedFile): Holder | undefined {
  const sources = sourcesOf(ctx);
  const { name } = ctx.host;
  if (!isUsable(sources, name) || (sources.succeeded === 0 && sources.failed >= MAX_FAILURES)) return undefined;
  const failuresOf = (host: string) => sources.failures.get(host)?.size ?? 0;
  const rank = ({ host, serving }: Holder) => failuresOf(host.name) * MAX_SERVING + serving;
  let best: Holder | undefined;
  for (const holder of sources.holders.get(path)?.values() ?? []) {
    const { host, serving } = holder;
    if (host.name === name || serving >= MAX_SERVING || sources.failures.get(name)?.has(host.name)) continue;
    if (isUsable(sources, host.name) && (!best || rank(holder) < rank(best))) best = holder;
    if (best && rank(best) === 0) break;
  }
  return best;
}

/** A host that failed with two others is probably the cause itself, for example because of its firewall. */
const isUsable = ({ failures }: FileSources, host: string) => (failures.get(host)?.size ?? 0) < 2;

/** After this many failures and no success, hosts probably cannot connect to each other at all. */
const MAX_FAILURES = 3;

function recordSuccess(ctx: StepContext, from: Host): void {
  const sources = sourcesOf(ctx);
  sources.succeeded += 1;
  for (const { name } of [ctx.host, from]) sources.failures.delete(name);
}

function recordFailure(ctx: StepContext, from: Host): void {
  const { host } = ctx;
  const sources = sourcesOf(ctx);
  sources.failed += 1;
  for (const [one, other] of [
    [host.name, from.name],
    [from.name, host.name],
  ] as const)
    sources.failures.set(one, new Set([...(sources.failures.get(one) ?? []), other]));
}

/** Hosts that have received the file serve it too, so two transfers per host are enough. */
const MAX_SERVING = 2;

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
