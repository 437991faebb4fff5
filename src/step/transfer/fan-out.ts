import { randomBytes } from 'node:crypto';
import { sh, type Command } from '../../runner/command.ts';
import { incompleteUpload, SHA256_FUNCTION } from '../../runner/path-commands.ts';
import type { StepContext } from '../contract/part.ts';
import { PERL_SERVER, PYTHON_SERVER } from './fan-out-program.ts';
import {
  findHolder,
  isHolder,
  recordFailure,
  recordSuccess,
  registerHolder,
  type Holder,
  type SharedFile,
} from './holders.ts';

/** Registers the host as a source of the file for other hosts. */
export function offer(ctx: StepContext, file: SharedFile): void {
  // A host that received it during this run is registered already, and may be serving it now.
  if (!isHolder(ctx, file)) registerHolder(ctx, file, { depth: 0 });
}

/** Whether another host has the file, or is receiving it, and can serve it now. */
export const isOffered = (ctx: StepContext, file: SharedFile): boolean => findHolder(ctx, file) !== undefined;

/** Receives a file and serves it to other hosts meanwhile, as far as it has arrived. */
export async function receiveAndOffer<T>(
  ctx: StepContext,
  file: SharedFile,
  depth: number,
  receive: () => Promise<T>,
): Promise<T> {
  const failed = new AbortController();
  const withdraw = registerHolder(ctx, file, { depth, failed: failed.signal });
  try {
    return await receive();
  } catch (error) {
    withdraw();
    failed.abort(error);
    throw error;
  }
}

/**
 * Downloads a file from another host; false if no host can serve it or the transfer failed. The other host listens on a
 * free port for a single connection from this host with the right token. The file is kept only if its checksum matches.
 */
export async function fetchFromPeer(ctx: StepContext, file: SharedFile): Promise<boolean> {
  const holder = findHolder(ctx, file);
  if (!holder) return false;
  holder.serving += 1;
  try {
    await receiveAndOffer(ctx, file, holder.depth + 1, () => transfer(ctx, holder, file));
    recordSuccess(ctx, holder.host);
    return true;
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!holder.failed?.aborted) recordFailure(ctx, holder.host);
    ctx.say(`download from ${holder.host.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    holder.serving -= 1;
  }
}

async function transfer(ctx: StepContext, { host: from, failed }: Holder, file: SharedFile): Promise<void> {
  const token = randomBytes(16).toString('hex');
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal, ...(failed ? [failed] : [])]);
  let resolvePort: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => (resolvePort = resolve));
  const serving = ctx
    .on(from)
    .run(serve(file, ctx.host.address), { stdin: token, signal, onLine: (line) => resolvePort(line) });
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

/** Where the host has the file: complete, arriving from this machine, or arriving from another host. */
const pathsOf = ({ path, sha256 }: SharedFile) =>
  [path, incompleteUpload(path, sha256), `${path}.peer`].map((each) => sh`${each}`.text).join(' ');

const serve = (file: SharedFile, to: string): Command => {
  const paths: Command = { text: pathsOf(file), display: '' };
  return {
    text: sh`for p in perl python3 python2 python /usr/libexec/platform-python; do
  command -v $p >/dev/null || continue
  case $p in perl) exec perl -e ${PERL_SERVER} ${to} ${WAIT_SECONDS} ${file.size} ${paths} ;; *) exec $p -c ${PYTHON_SERVER} ${to} ${WAIT_SECONDS} ${file.size} ${paths} ;; esac
done; echo 'neither perl nor python is installed' >&2; exit 1`.text,
    display: `serve ${file.path} to ${to}`,
  };
};

// The data is written to disk while it is hashed.
const fetch = ({ path, size, sha256 }: SharedFile, from: string, port: string): Command => ({
  text: sh`umask 077; t=${path}.peer; trap 'rm -f -- "$t"' EXIT; rm -f -- "$t"
bash -c 'read -r word; exec 3<>"/dev/tcp/$0/$1" || exit; printf "%s\n" "$word" >&3; exec head -c "$2" <&3' ${from} ${port} ${size} >"$t" || exit
${SHA256_FUNCTION}
sync -- "$t" & [ "$(sha256_of "$t")" = ${sha256} ] || { echo 'checksum does not match' >&2; exit 1; }
wait $! && mv -fT -- "$t" ${path}`.text,
  display: `download ${path} from ${from}`,
});
