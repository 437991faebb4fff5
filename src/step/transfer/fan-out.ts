import { randomBytes } from 'node:crypto';
import { cacheKey } from '../../cache/cache.ts';
import type { Host } from '../../common/host.ts';
import { sh, type Command } from '../../runner/command.ts';
import { SHA256_FUNCTION } from '../../runner/path-commands.ts';
import { PERL_SERVER, PYTHON_SERVER } from './fan-out-program.ts';
import type { StepContext } from '../contract/part.ts';

/** A file on a host, and where another host gets it from. */
export interface SharedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** A host that has a file, and how many it hands it on to now. */
interface Holder {
  readonly host: Host;
  serving: number;
}

/** Who has which file, for the time of one run. */
interface Board {
  /** By the path of the file, which is the same on all hosts and has its sum, then by name. */
  readonly holders: Map<string, Map<string, Holder>>;
  /** Hosts cannot reach each other on the ports that are free: nobody tries it again. */
  closed: boolean;
}

/** The host has the file, so others may get it there. */
export function offer(ctx: StepContext, { path }: SharedFile): void {
  const { holders } = boardOf(ctx);
  const known = holders.get(path) ?? new Map<string, Holder>();
  if (!known.has(ctx.host.name)) known.set(ctx.host.name, { host: ctx.host, serving: 0 });
  holders.set(path, known);
}

/** True when some other host has the file and time to serve it. */
export const isOffered = (ctx: StepContext, file: SharedFile): boolean => holderOf(ctx, file) !== undefined;

/**
 * Gets a file from another host; false when there is none with time, or when it did not come. The other host listens on a
 * port of its own choice, for one call of this host with the right word, and no longer than that takes. What came is
 * only taken when its sum is right.
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
    boardOf(ctx).closed = true;
    ctx.say(`${holder.host.name} could not hand it on: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    holder.serving -= 1;
  }
}

async function transfer(ctx: StepContext, from: Host, file: SharedFile): Promise<void> {
  const word = randomBytes(16).toString('hex');
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal]);
  let tell: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => (tell = resolve));
  const serving = ctx
    .on(from)
    .run(serve(file.path, ctx.host.address), { stdin: word, signal, onLine: (line) => tell(line) });
  const fetching = Promise.race([port, serving.then(() => '')]).then((at) =>
    ctx.runner.run(fetch(file, from.address, at), { stdin: word, signal }),
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
done; echo 'neither perl nor python is there' >&2; exit 1`.text,
  display: `serve ${path} to ${to}`,
});

const fetch = ({ path, size, sha256 }: SharedFile, from: string, port: string): Command => ({
  text: sh`umask 077; t=${path}.peer; trap 'rm -f -- "$t"' EXIT; rm -f -- "$t"
bash -c 'read -r word; exec 3<>"/dev/tcp/$0/$1" || exit; printf "%s\n" "$word" >&3; exec head -c "$2" <&3' ${from} ${port} ${size} >"$t" || exit
${SHA256_FUNCTION}
[ "$(sha256_of "$t")" = ${sha256} ] || { echo 'its sum is wrong' >&2; exit 1; }
sync -- "$t" && mv -fT -- "$t" ${path}`.text,
  display: `get ${path} from ${from}`,
});

function holderOf(ctx: StepContext, { path }: SharedFile) {
  const { holders, closed } = boardOf(ctx);
  if (closed) return undefined;
  const others = [...(holders.get(path)?.values() ?? [])].filter(({ host }) => host.name !== ctx.host.name);
  return others.filter(({ serving }) => serving < AT_ONCE).toSorted((a, b) => a.serving - b.serving)[0];
}

/** Each host hands a file on to two at a time: who has got it is the next to do so. */
const AT_ONCE = 2;

const BOARD = cacheKey<Board>('fan-out');

function boardOf({ cache }: StepContext): Board {
  const board = cache.get(BOARD) ?? { holders: new Map(), closed: false };
  cache.set(BOARD, board);
  return board;
}
