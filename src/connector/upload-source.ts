import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content to upload, with a known checksum. It can be read from any offset. */
export interface UploadSource {
  readonly size: number;
  readonly sha256: string;
  open(offset: number): Readable;
}

/** Returns an upload source for text or bytes in memory. */
export function contentSource(content: string | Buffer): UploadSource {
  const bytes = Buffer.from(content);
  return Object.freeze({
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: (offset: number) => Readable.from([bytes.subarray(offset)], { objectMode: false }),
  });
}

/** Returns an upload source for a local file. Reads the file once to compute the checksum. */
export async function fileSource(path: string): Promise<UploadSource> {
  const { size } = await stat(path);
  return Object.freeze({ size, sha256: await sha256Of(path), open: (offset: number) => readFrom(path, offset) });
}

/** Returns the SHA-256 checksum of a local file. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(readFrom(path, 0), hash);
  return hash.digest('hex');
}

/** Reads a local file in chunks of 1 MiB, because the default chunk size halves the upload speed. */
export const readFrom = (path: string, start: number): Readable =>
  createReadStream(path, { start, highWaterMark: 1024 * 1024 });
