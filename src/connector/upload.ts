import { basename, dirname } from 'node:path/posix';
import type { Writable } from 'node:stream';
import { fail, type KubexmError } from '../common/errors/errors.ts';
import { SHA256_FUNCTION } from './checksum.ts';
import type { UploadTarget } from './connector.ts';
import { frameScanner, newMarker } from './framing.ts';
import { streamEnd } from './output.ts';
import { quote } from './quote.ts';
import { retryAfterDrop } from './retry-after-drop.ts';
import type { OpenShell, Shell } from './shell.ts';
import type { UploadSource } from './upload-source.ts';

/** Uploads a file. Resumes after a connection loss, and skips the transfer if the remote file is already identical. */
export async function uploadFile(
  host: string,
  open: OpenShell,
  source: UploadSource,
  target: UploadTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  await retryAfterDrop(host, `the upload of ${target.path}`, () => uploadOnce(host, open, source, target, signal));
}

async function uploadOnce(
  host: string,
  open: OpenShell,
  source: UploadSource,
  target: UploadTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const marker = newMarker();
  const shell = await open(uploadScript(source, target, marker), { signal });
  const giveUp = () => shell.close();
  signal?.addEventListener('abort', giveUp, { once: true });
  const scan = frameScanner(marker);
  let verdict = '';
  let sending: Promise<void> | undefined;
  shell.stderr.resume();
  shell.stdout.on('data', (chunk: Buffer) => {
    for (const { text } of scan(chunk).frames) {
      if (text.startsWith('go ')) sending = send(source, Number(text.slice(3)), shell, signal);
      else verdict = text;
      // Closes the shell if the source is unreadable, because the script would wait for input forever.
      sending?.catch(() => shell.close());
    }
  });
  await Promise.all([streamEnd(shell.stdout), shell.closed]);
  signal?.removeEventListener('abort', giveUp);
  signal?.throwIfAborted();
  if (verdict === 'same' || verdict === 'done') return;
  if (verdict !== '') throw uploadError(host, source, target, verdict);
  await sending;
  throw fail('CONNECTION_LOST', {
    host,
    doing: `the upload of ${target.path}`,
    reason: 'the transfer was interrupted',
  });
}

/** Rejects only if the source cannot be read. A lost connection is reported by `closed`. */
async function send(source: UploadSource, offset: number, shell: Shell, signal: AbortSignal | undefined) {
  const input = source.open(offset);
  const shellClosed = shell.closed.then(() => input.destroy());
  let closed = false;
  void shellClosed.then(() => (closed = true));
  try {
    for await (const chunk of input) {
      if (closed || signal?.aborted) return;
      if (!shell.stdin.write(chunk)) await Promise.race([drained(shell.stdin), shellClosed]);
    }
    shell.stdin.end();
  } catch (error) {
    if (!closed) throw error;
  }
}

const drained = (stream: Writable) => new Promise<void>((resolve) => stream.once('drain', () => resolve()));

function uploadError(host: string, source: UploadSource, { path }: UploadTarget, verdict: string): KubexmError {
  const [word = '', ...rest] = verdict.split(' ');
  if (word === 'mismatch')
    return fail('UPLOAD_MISMATCH', { host, path, wanted: source.sha256, got: rest.join(' ') || 'none' });
  const reason = rest.join(' ');
  if (/no space left|quota exceeded/i.test(reason)) return fail('DISK_FULL', { host, path, size: source.size });
  if (/read-only file system/i.test(reason)) {
    return fail('HOST_READ_ONLY', { host, what: `upload ${path}`, output: reason });
  }
  return fail('UPLOAD_FAILED', { host, path, reason: reason.replace(/^[\w/]*sh: (\d+: )?/, '') });
}

/**
 * Writes to a partial file in the same directory as the target. The file name contains the checksum, so a leftover
 * writer from a lost connection writes the same bytes to the same offsets and causes no damage.
 */
export function uploadScript(source: UploadSource, { path, mode, owner }: UploadTarget, marker: string): string {
  const part = uploadPart(path, source.sha256);
  return `report() { printf '%s %s\\n' ${marker} "$*"; }
t=${quote(path)}; p=${quote(part)}; size=${source.size}; mode=${mode.toString(8)}; owner=${quote(owner)}; sha256=${source.sha256}
give_up() { [ -z "\${renaming-}" ] || [ -e "$p" ] || exit; e=$(printf %s "$e" | tr '\\n' ' '); rm -f "$p"; report failed "$e"; exit; }
${SHA256_FUNCTION}
if [ -d "$t" ]; then report failed is a directory; exit; fi
set_attributes() { chown -- "$owner" "$1" && chmod -- $mode "$1"; }
set -- $(stat -c '%s %a %U:%G %u:%g' -- "$t" 2>/dev/null)
if [ -f "$t" ] && [ ! -L "$t" ] && [ "\${1-}" = $size ] && [ "$(sha256_of "$t")" = $sha256 ]; then
  if [ "\${2-}" = "$mode" ] && { [ "\${3-}" = "$owner" ] || [ "\${4-}" = "$owner" ]; }; then report same; exit; fi
  if e=$(set_attributes "$t" 2>&1); then report same; exit; fi
  give_up
fi
e=$( (umask 077; : >>"$p") 2>&1) || give_up
n=$(stat -c %s -- "$p"); [ "$n" -le $size ] || { : >"$p"; n=0; }
n=$((n / ${BLOCK}))
report go $((n * ${BLOCK}))
${flushWhileWriting(source.size)}
e=$(dd of="$p" bs=${BLOCK} seek=$n conv=notrunc 2>&1) || give_up
[ "$(stat -c %s -- "$p")" = $size ] || exit
got=$(sha256_of "$p")
[ "$got" = $sha256 ] || { rm -f "$p"; report mismatch $got; exit; }
# A writer left over from a dropped connection may have renamed the part already; then the next attempt finds the target.
renaming=1
e=$( { set_attributes "$p" && { sync -- "$p" 2>/dev/null || sync; } && mv -f -- "$p" "$t"; } 2>&1) || give_up
report done`;
}

const BLOCK = 1024 * 1024;

/** Returns the path of the partial file that an upload writes to. */
export const uploadPart = (path: string, sha256: string): string =>
  `${dirname(path)}/.${basename(path)}.kubexm-${sha256.slice(0, 12)}`;

/** Syncs a large file to disk while it is received and hashed, so that the final sync is short. */
const flushWhileWriting = (size: number): string =>
  size < LARGE
    ? ''
    : '(while sleep 0.3 && [ -e "$p" ] && kill -0 $$; do sync -d -- "$p" || exit; done) </dev/null >/dev/null 2>&1 &';

const LARGE = 32 * BLOCK;
