import { open } from 'node:fs/promises';

/** Makes new, renamed and removed entries of a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

/** Some network file systems cannot sync folders, and a folder that is only writable cannot be opened. */
const isUnsupported = (error: unknown) =>
  error instanceof Error && 'code' in error && UNSUPPORTED.has(String(error.code));

const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);
