import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content that can be read from any offset, with its sum known beforehand. */
export interface UploadSource {
  readonly size: number;
  readonly sha256: string;
  open(offset: number): Readable;
}

/** A text or bytes in memory. */
export function contentSource(content: string | Buffer): UploadSource {
  const bytes = Buffer.from(content);
  return Object.freeze({
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: (offset: number) => Readable.from([bytes.subarray(offset)], { objectMode: false }),
  });
}

/** A file of this machine; it is read once to know its sum. */
export async function fileSource(path: string): Promise<UploadSource> {
  const { size } = await stat(path);
  return Object.freeze({ size, sha256: await sha256Of(path), open: (offset: number) => readFrom(path, offset) });
}

/** The sum of a file of this machine. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(readFrom(path, 0), hash);
  return hash.digest('hex');
}

/** Reads a file of this machine in large pieces: small ones halve the speed of an upload. */
export const readFrom = (path: string, start: number): Readable =>
  createReadStream(path, { start, highWaterMark: 1024 * 1024 });
