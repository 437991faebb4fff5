import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';

/** Reads the text of a cluster file. */
export async function readClusterFile(path: string): Promise<string> {
  const text = decode(path, await readBytes(path));
  if (text.includes('\0')) throw fail('FILE_NOT_TEXT', { path });
  if (text.trim() === '') throw fail('FILE_EMPTY', { path });
  return text;
}

/** For comparison: a cluster file with five thousand hosts is smaller than 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

async function readBytes(path: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw fail('FILE_IS_DIRECTORY', { path });
    if (!found.isFile() && !found.isFIFO())
      throw fail('FILE_UNREADABLE', { path, reason: 'it is a device or a socket' });
    return await readBounded(path);
  } catch (error) {
    throw error instanceof KubexmError ? error : readError(path, error);
  }
}

/** Counts bytes while reading, because a pipe does not report its size. */
async function readBounded(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) throw fail('FILE_TOO_LARGE', { path, limit: megabytes(MAX_BYTES) });
  }
  return Buffer.concat(chunks);
}

function readError(path: string, error: unknown): KubexmError {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail('FILE_NOT_FOUND', { path }, error);
    case 'EACCES':
    case 'EPERM':
      return fail('FILE_UNREADABLE', { path, reason: 'permission denied' }, error);
    default:
      return fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** Decodes UTF-8 or UTF-16 and drops the byte order mark. */
function decode(path: string, bytes: Buffer): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw fail('FILE_NOT_TEXT', { path }, error);
  }
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
