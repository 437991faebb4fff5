import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { withLock } from '../util/process-lock.ts';
import { syncFolder } from '../util/sync-folder.ts';
import { writeFileAtomically } from '../util/write-file.ts';

/** A change of a cluster file: the text that was read, and the text that replaces it. */
export interface FileChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Replaces the text of a cluster file and keeps the old file beside it. Encoding, mode, owner and symlinks stay as they
 * are. Refuses if the file is no longer what was read. Resolves to the path of the old file.
 */
export async function replaceClusterFile({ path, before, after }: FileChange, now: Date): Promise<string> {
  const target = await realpath(path);
  return withLock(`cluster-file-${createHash('sha256').update(target).digest('hex').slice(0, 16)}`, async () => {
    const current = await readFile(target);
    const encode = encoderOf(current);
    if (!encode(before).equals(current)) throw fail('CLUSTER_FILE_CHANGED', { path });
    const { mode, uid, gid } = await stat(target);
    const permissions = mode & 0o7777;
    const backup = await keepCopy(target, current, permissions, now);
    await writeFileAtomically(target, encode(after), permissions, { uid, gid });
    return backup;
  });
}

/** Throws if the cluster file cannot be replaced, for example because it is a pipe. */
export async function checkReplaceable(path: string): Promise<void> {
  const target = await realpath(path);
  if (!(await stat(target)).isFile()) throw fail('FILE_UNWRITABLE', { path, reason: 'not a regular file' });
  await access(dirname(target), constants.W_OK).catch((error: Error) => {
    throw fail('FILE_UNWRITABLE', { path, reason: error.message }, error);
  });
}

/** UTF-8 or UTF-16, with a byte order mark if the file starts with one. */
function encoderOf(bytes: Buffer): (text: string) => Buffer {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return (text) => Buffer.from(`\uFEFF${text}`, 'utf16le');
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? '\uFEFF' : '';
  return (text) => Buffer.from(mark + text, 'utf8');
}

/** Copies the old content to "cluster.yaml.bak-20261118T081500Z". */
async function keepCopy(target: string, content: Buffer, mode: number, now: Date): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let suffix = ''; ; suffix = `-${Number(suffix.slice(1) || 1) + 1}`) {
    const path = `${target}.bak-${stamp}${suffix}`;
    try {
      await using file = await open(path, 'wx', mode & 0o700);
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
      await syncFolder(dirname(path));
      return path;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
    }
  }
}
