import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { fail } from '../common/errors/errors.ts';

/** Beside, synced, renamed: whoever reads meanwhile sees the old file or the new one, never half of it. */
export async function writeFileAtomically(path: string, content: string, mode: number): Promise<void> {
  const target = await targetOf(path);
  // Two acts of this process may write the same file.
  const beside = `${target}.${process.pid}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    await using file = await open(beside, 'w', mode);
    await file.writeFile(content);
    await file.sync();
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** What a link leads to is written, not the link; a device or a folder is left alone. */
async function targetOf(path: string): Promise<string> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw fail('FILE_IS_DIRECTORY', { path });
  if (found && !found.isFile()) throw fail('FILE_UNWRITABLE', { path, reason: 'it is no regular file' });
  return target;
}
