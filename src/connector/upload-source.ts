import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content to upload: its checksum is known in advance, and it can be read from any offset. */
export interface UploadSource {
  readonly size: number;
  readonly sha256: string;
  open(offset: number): Readable;
}

/** Text or bytes in memory as an upload source. */
export function contentSource(content: string | Buffer): UploadSource {
  const bytes = Buffer.from(content);
  return Object.freeze({
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: (offset: number) => Readable.from([bytes.subarray(offset)], { objectMode: false }),
  });
}

/** A local file as an upload source; reads it once to compute the checksum. */
export async function fileSource(path: string): Promise<UploadSource> {
  const { size } = await stat(path);
  return Object.freeze({ size, sha256: await sha256Of(path), open: (offset: number) => readFrom(path, offset) });
}

/** The SHA-256 of a local file. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(readFrom(path, 0), hash);
  return hash.digest('hex');
}

/** Reads a local file in chunks of 1 MiB: the default chunk size halves the upload speed. */
export const readFrom = (path: string, start: number): Readable =>
  createReadStream(path, { start, highWaterMark: 1024 * 1024 });
