import { pipeline, Readable, type Duplex } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { fail } from '../../common/errors/errors.ts';

/** Transforms a stream of bytes. */
export type StreamFilter = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** A compression format of bundles. */
export interface Compression {
  readonly compress: StreamFilter;
  readonly decompress: StreamFilter;
}

/** Returns the compression format for the file name of a new bundle. */
export function compressionFor(path: string, zstd: Compression | undefined): Compression {
  if (path.endsWith('.tar.gz') || path.endsWith('.tgz')) return gzip;
  if (!path.endsWith('.tar.zst'))
    throw fail('USAGE', {
      message: `The name of a bundle must end in .tar.zst or .tar.gz: ${path}`,
      help: 'kubexm offline package -f cluster.yaml -o bundle.tar.zst',
    });
  if (!zstd) throw fail('COMPRESSION_MISSING', { path });
  return zstd;
}

/** Detects the compression format from the first bytes of a file. Returns undefined if it is neither zstd nor gzip. */
export function detectCompression(
  path: string,
  firstBytes: Buffer,
  zstd: Compression | undefined,
): Compression | undefined {
  if (firstBytes.subarray(0, 4).equals(ZSTD)) {
    if (!zstd) throw fail('COMPRESSION_MISSING', { path });
    return zstd;
  }
  return firstBytes.subarray(0, 2).equals(GZIP) ? gzip : undefined;
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Wraps a Node.js transform stream. */
export const nodeStreamFilter =
  (create: () => Duplex): StreamFilter =>
  (source) =>
    // The reader of the returned stream receives the errors.
    pipeline(Readable.from(source), create(), () => {});

const gzip: Compression = {
  compress: nodeStreamFilter(() => createGzip({ level: 6 })),
  decompress: nodeStreamFilter(() => createGunzip()),
};
