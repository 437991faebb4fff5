import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { syncFolder } from './sync-folder.ts';

/** The owner of a file. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Writes a temporary file, syncs and renames it, and syncs its folder: readers see either the old content or the new one,
 * and the new one survives a power failure. With `owner`, the file gets this owner, if permitted, and exactly this mode.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode: number,
  owner?: Owner,
): Promise<void> {
  const target = await targetOf(path);
  // The name is random, because one process may write the same file twice at the same time.
  const temporary = `${target}.${process.pid}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    // Exclusive: it never follows a link that another user placed under this name.
    await using file = await open(temporary, 'wx', mode);
    await file.writeFile(content);
    if (owner) {
      await file.chown(owner.uid, owner.gid).catch(() => {});
      await file.chmod(mode);
    }
    await file.sync();
    await rename(temporary, target);
    await syncFolder(dirname(target));
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
