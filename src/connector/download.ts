import { createHash } from 'node:crypto';
import { open as openFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { frameScanner, newMarker } from './framing.ts';
import { quote } from './quote.ts';
import { retryAfterDrop } from './retry-after-drop.ts';
import { readFrom, sha256Of } from './upload-source.ts';
import type { OpenShell, Shell } from './shell.ts';
import { SHA256_FUNCTION } from './checksum.ts';

/** Downloads a file. Resumes after a connection loss, and skips the transfer if the local file is already identical. */
export async function downloadFile(
  host: string,
  open: OpenShell,
  remote: string,
  local: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await retryAfterDrop(host, `the download of ${remote}`, () => downloadOnce(host, open, remote, local, signal));
}

async function downloadOnce(
  host: string,
  open: OpenShell,
  remote: string,
  local: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const marker = newMarker();
  const shell = await open(downloadScript(remote, marker), { signal });
  const giveUp = () => shell.close();
  signal?.addEventListener('abort', giveUp, { once: true });
  shell.stderr.resume();
  try {
    await receive(host, shell, marker, remote, local);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    shell.close();
  }
}

async function receive(host: string, shell: Shell, marker: string, remote: string, local: string): Promise<void> {
  const lost = () =>
    fail('CONNECTION_LOST', { host, doing: `the download of ${remote}`, reason: 'the transfer was interrupted' });
  const chunks = chunksOf(shell);
  const { text, rest } = await firstFrame(chunks, marker);
  const [word = '', ...values] = text.split(' ');
  if (word === '') throw lost();
  if (word !== 'file') throw fail('DOWNLOAD_FAILED', { host, path: remote, reason: values.join(' ') });
  const size = Number(values[0]);
  const sha256 = values[1] ?? '';
  if ((await sizeOf(local)) === size && (await sha256Of(local)) === sha256) return;
  const part = join(dirname(local), `.${basename(local)}.kubexm-${sha256.slice(0, 12)}`);
  const offset = Math.min(await sizeOf(part), size);
  shell.stdin.write(`${offset}\n`);
  await writeFile(part, '', { flag: 'a', mode: 0o600 });
  await truncate(part, offset);
  const got = await append(part, offset, size, rest, chunks);
  if (got === undefined) throw lost();
  if (got !== sha256) {
    await rm(part, { force: true });
    throw fail('DOWNLOAD_FAILED', { host, path: remote, reason: 'the file changed during the download' });
  }
  await rename(part, local);
}

/**
 * Appends the rest of the file to the partial file. Returns the checksum of the file, or undefined if it is incomplete.
 */
async function append(
  part: string,
  offset: number,
  size: number,
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  if (offset > 0) for await (const chunk of readFrom(part, 0)) hash.update(chunk);
  await using file = await openFile(part, 'a', 0o600);
  let pending = [first];
  let pendingBytes = first.length;
  let got = offset + first.length;
  const write = async () => {
    for (const chunk of pending) hash.update(chunk);
    await file.writev(pending);
    [pending, pendingBytes] = [[], 0];
  };
  while (got < size) {
    const chunk = await chunks.next();
    if (chunk.done) break;
    pending.push(chunk.value);
    pendingBytes += chunk.value.length;
    got += chunk.value.length;
    // SSH delivers 32 kB at a time; larger writes are faster.
    if (pendingBytes >= BLOCK) await write();
  }
  await write();
  await file.sync();
  return got < size ? undefined : hash.digest('hex');
}

/** Reads the first frame, which describes the file. */
async function firstFrame(chunks: AsyncIterator<Buffer>, marker: string): Promise<{ text: string; rest: Buffer }> {
  const scan = frameScanner(marker);
  for (;;) {
    const chunk = await chunks.next();
    if (chunk.done) return { text: '', rest: Buffer.alloc(0) };
    const { frames, data } = scan(chunk.value);
    const [frame] = frames;
    if (frame) return { text: frame.text, rest: data.subarray(frame.at) };
  }
}

/** Yields the chunks of stdout. A connection loss ends them without an error. */
async function* chunksOf(shell: Shell): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of shell.stdout) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch {
    return;
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => ({ size: 0 }))).size;

const BLOCK = 1024 * 1024;

// The script reads the offset from stdin, because the offset depends on the checksum that the script reports.
export const downloadScript = (path: string, marker: string): string => `report() { printf '%s %s\\n' ${marker} "$*"; }
f=${quote(path)}
if [ -d "$f" ]; then report failed is a directory; exit; fi
e=$(stat -L -c %s -- "$f" 2>&1) || { report failed "\${e#stat: }"; exit; }
${SHA256_FUNCTION}
report file "$e" "$(sha256_of "$f")"
read -r offset && tail -c +$((offset + 1)) -- "$f"`;
