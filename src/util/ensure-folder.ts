import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '../common/errors.ts';

/** Makes a folder and those above it. Not by `recursive`: that never ends where a file system makes no folders, as /proc. */
export async function ensureFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (await isFolder(path)) return;
    if (isMissing(error) && dirname(path) !== path && !(await isFolder(dirname(path)))) {
      await ensureFolder(dirname(path), mode);
      await ensureFolder(path, mode);
      return;
    }
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
