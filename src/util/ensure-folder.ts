import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { syncFolder } from './sync-folder.ts';

/** Creates a folder and its parents; new ones survive a power failure. Does not use `recursive`, which never returns on file systems such as /proc. */
export async function ensureFolder(path: string, mode: number): Promise<void> {
  if (await create(path, mode)) return;
  // The parent is missing, or another caller has just created it.
  await ensureFolder(dirname(path), mode);
  if (await create(path, mode)) return;
  throw fail('FILE_UNWRITABLE', { path, reason: 'the file system does not allow new folders' });
}

/** False if the parent is missing. */
async function create(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (await isFolder(path)) return true;
    if (isMissing(error) && dirname(path) !== path) return false;
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
