import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Checksum and size of a file. */
export interface FileHash {
  readonly sha256: string;
  readonly size: number;
}

export async function hashFile(path: string): Promise<FileHash> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex'), size };
}
