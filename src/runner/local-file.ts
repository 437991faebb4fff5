import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { readFrom } from '../connector/upload-source.ts';
import type { UploadSource } from './runner.ts';

/** A file of this machine as something to upload; undefined when there is none. */
export async function localFile(path: string): Promise<UploadSource | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const hash = createHash('sha256');
  await pipeline(readFrom(path, 0), hash);
  return verifiedFile({ path, size: found.size, sha256: hash.digest('hex') });
}

/** The same where the sum is known. Many hosts may read it at once: the kernel reads it from the disk once. */
export const verifiedFile = ({
  path,
  size,
  sha256,
}: {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}): UploadSource => ({ size, sha256, open: (offset) => readFrom(path, offset) });
