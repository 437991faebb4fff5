import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { fail } from '../../common/errors/errors.ts';
import { openBundle, unreadable, type OpenBundle } from './open.ts';

/** Makes bytes from bytes while they are read. */
export type Filter = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** A way to make archives smaller, and back. */
export interface Packing {
  readonly pack: Filter;
  readonly unpack: Filter;
}

/** What a bundle of this name is packed with. */
export function packingFor(path: string, zstd: Packing | undefined): Packing {
  if (path.endsWith('.tar.gz') || path.endsWith('.tgz')) return gzip;
  if (!path.endsWith('.tar.zst'))
    throw fail('USAGE', {
      message: `A bundle is called .tar.zst or .tar.gz, and this one ${path}.`,
      help: 'kubexm offline package -f cluster.yaml -o bundle.tar.zst',
    });
  if (!zstd) throw fail('COMPRESSION_MISSING', { path });
  return zstd;
}

/** Opens a bundle by what it is, not by its name. */
export async function openBundleFile(path: string, zstd: Packing | undefined): Promise<OpenBundle> {
  const start = await firstBytes(path);
  const isZstd = start.equals(ZSTD);
  if (isZstd && !zstd) throw fail('COMPRESSION_MISSING', { path });
  const packing = isZstd ? zstd : start.subarray(0, 2).equals(GZIP) ? gzip : undefined;
  if (!packing) throw unreadable(path, 'it is neither zstd nor gzip');
  return openBundle(path, packing.unpack(createReadStream(path, { highWaterMark: 1 << 20 })));
}

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP = Buffer.from([0x1f, 0x8b]);

async function firstBytes(path: string): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? fail('FILE_NOT_FOUND', { path }, error) : unreadable(path, error);
  }
}

/** A filter of a stream of Node. */
export const filterBy =
  (make: () => Duplex): Filter =>
  (source) =>
    // What goes wrong comes out of the stream that is read.
    pipeline(Readable.from(source), make(), () => {});

const gzip: Packing = { pack: filterBy(() => createGzip({ level: 6 })), unpack: filterBy(() => createGunzip()) };
