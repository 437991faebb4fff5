import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { UploadSource } from './runner.ts';

/** A file of this machine as something to upload; undefined when there is none. */
export async function localFile(path: string): Promise<UploadSource | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { size: found.size, sha256: hash.digest('hex'), open: (offset) => createReadStream(path, { start: offset }) };
}
