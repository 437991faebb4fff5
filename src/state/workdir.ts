import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { writeFileAtomically } from '../util/write-file.ts';

/**
 * Prepares the folder for everything that kubexm stores in a working directory: only its owner can open it, and git
 * ignores it, because it contains private keys and is next to the cluster file.
 */
export async function ensureStateFolder(workdir: string): Promise<void> {
  const folder = join(workdir, '.kubexm');
  await ensureFolder(folder, 0o700);
  await refuseForeignFolder(folder, workdir);
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  const ignore = join(folder, '.gitignore');
  const exists = await stat(ignore).catch(() => undefined);
  if (!exists) await writeFileAtomically(ignore, '*\n', 0o600);
}

/** In a shared directory such as /tmp, another user may have created the folder first, and could read the keys in it. */
async function refuseForeignFolder(folder: string, workdir: string): Promise<void> {
  const [{ uid }, parent] = await Promise.all([stat(folder), stat(workdir)]);
  // Root may work in the directory of a user.
  if (uid === process.getuid?.() || (uid === parent.uid && process.getuid?.() === 0)) return;
  throw fail('STATE_FOLDER_FOREIGN', { path: folder, uid });
}
