import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { fail } from '../common/errors/errors.ts';

/** Writes a temporary file, syncs and renames it, so that readers see either the old content or the new one. */
export async function writeFileAtomically(path: string, content: string, mode: number): Promise<void> {
  const target = await targetOf(path);
  // The name is random, because one process may write the same file twice at the same time.
  const temporary = `${target}.${process.pid}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    await using file = await open(temporary, 'w', mode);
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** Follows symlinks; refuses folders and devices. */
async function targetOf(path: string): Promise<string> {
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory()) throw fail('FILE_IS_DIRECTORY', { path });
  if (found && !found.isFile()) throw fail('FILE_UNWRITABLE', { path, reason: 'not a regular file' });
  return target;
}
