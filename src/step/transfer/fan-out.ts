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

/** Which hosts have which files, during one run. */
interface FileSources {
  /** By path, which contains the checksum, then by host name. */
  readonly holders: Map<string, Map<string, Holder>>;
  /** Set after a failed transfer between hosts: they probably cannot connect to each other. */
  disabled: boolean;
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
    return true;
  } catch (error) {
    ctx.signal.throwIfAborted();
    sourcesOf(ctx).disabled = true;
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

function holderOf(ctx: StepContext, { path }: SharedFile) {
  const { holders, disabled } = sourcesOf(ctx);
  if (disabled) return undefined;
  const others = [...(holders.get(path)?.values() ?? [])].filter(({ host }) => host.name !== ctx.host.name);
  return others.filter(({ serving }) => serving < MAX_SERVING).toSorted((a, b) => a.serving - b.serving)[0];
}

/** Hosts that have received the file serve it too, so two transfers per host are enough. */
const MAX_SERVING = 2;

const SOURCES = cacheKey<FileSources>('fan-out');

function sourcesOf({ cache }: StepContext): FileSources {
  const sources = cache.get(SOURCES) ?? { holders: new Map(), disabled: false };
  cache.set(SOURCES, sources);
  return sources;
}
