import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { readFrom, sha256Of } from '../connector/upload-source.ts';
import { isEncrypted, readPrivateFile } from '../util/private-file.ts';
import type { UploadSource } from './runner.ts';

/**
 * Returns an upload source for a local file, or undefined if it does not exist. Decrypts encrypted files for the
 * upload.
 */
export async function localFile(path: string): Promise<UploadSource | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return undefined;
  const text = await decryptedText(path, found.size);
  return text === undefined ? verifiedFile({ path, size: found.size, sha256: await sha256Of(path) }) : inMemory(text);
}

/** Decrypts a file in memory, because keys are small. Returns undefined if the file is not encrypted. */
async function decryptedText(path: string, size: number): Promise<Buffer | undefined> {
  if (size > 1 << 20 || !isEncrypted(await readFile(path))) return undefined;
  return Buffer.from((await readPrivateFile(path)) ?? '');
}

const inMemory = (content: Buffer): UploadSource => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  open: (offset) => Readable.from([content.subarray(offset)]),
});

/** Returns an upload source for a local file with a known checksum. Many hosts may read it at the same time. */
export const verifiedFile = ({
  path,
  size,
  sha256,
}: {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}): UploadSource => ({ size, sha256, open: (offset) => readFrom(path, offset) });
