import { open, rename, rm } from 'node:fs/promises';
import { fail } from '../common/errors.ts';

/** Beside, synced, renamed: whoever reads meanwhile sees the old file or the new one, never half of it. */
export async function writeFileAtomically(path: string, content: string, mode: number): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    await using file = await open(beside, 'w', mode);
    await file.writeFile(content);
    await file.sync();
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
