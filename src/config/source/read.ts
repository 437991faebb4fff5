import { readFile, stat } from 'node:fs/promises';
import { fail } from '../../common/errors.ts';

/** The text of a cluster file, or one clear reason why there is none. */
export async function readClusterFile(path: string): Promise<string> {
  const text = decode(path, await readBytes(path));
  if (text.includes('\0')) throw fail('FILE_NOT_TEXT', { path });
  if (text.trim() === '') throw fail('FILE_EMPTY', { path });
  return text;
}

/** A file of five thousand hosts has less than 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw fail('FILE_TOO_LARGE', { path, size: megabytes(size), limit: megabytes(MAX_BYTES) });
    return await readFile(path);
  } catch (error) {
    throw readError(path, error);
  }
}

function readError(path: string, error: unknown): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('FILE_NOT_FOUND', { path }, error);
    case 'EISDIR':
      return fail('FILE_IS_DIRECTORY', { path }, error);
    case 'EACCES':
    case 'EPERM':
      return fail('FILE_UNREADABLE', { path, reason: 'permission denied' }, error);
    case 'ENAMETOOLONG':
    case 'ELOOP':
    case 'EIO':
      return fail('FILE_UNREADABLE', { path, reason: String(error) }, error);
    default:
      return error;
  }
}

/** A byte order mark is no part of the text. */
function decode(path: string, bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw fail('FILE_NOT_TEXT', { path }, error);
  }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
