import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors/errors.ts';

/** Makes a folder and those above it. Not by `recursive`: that never ends where a file system makes no folders, as /proc. */
export async function ensureFolder(path: string, mode: number): Promise<void> {
  if (await made(path, mode)) return;
  // Those above are missing, or were until somebody else made them just now.
  await ensureFolder(dirname(path), mode);
  if (await made(path, mode)) return;
  throw fail('FILE_UNWRITABLE', { path, reason: 'no folders can be made there' });
}

/** False when it has to be made further up first. */
async function made(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
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
