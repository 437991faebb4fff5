import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { tarOf, type TarEntry } from '../../util/tar.ts';

/** The digest and size of a file. */
export interface FileDigest {
  readonly sha256: string;
  readonly size: number;
}

/** Writes a tar.gz, and resolves with its digest and that of the uncompressed tar. */
export async function writeArchive(
  path: string,
  entries: readonly TarEntry[],
  signal?: AbortSignal,
): Promise<FileDigest & { readonly tarSha256: string }> {
  const tar = digestStream();
  const compressed = digestStream();
  const stages = [
    Readable.from(tarOf(entries, BUILD_TIME)),
    tar.through,
    createGzip({ level: 6 }),
    compressed.through,
  ] as const;
  await pipeline(...stages, createWriteStream(path), signal ? { signal } : {});
  return { ...compressed.digest(), tarSha256: tar.digest().sha256 };
}

// A fixed timestamp, 2026-01-01, makes builds reproducible.
export const BUILD_TIME = 1_767_225_600;

export async function digestFile(path: string): Promise<FileDigest> {
  const { through, digest } = digestStream();
  for await (const _ of through(createReadStream(path, { highWaterMark: 1 << 20 }))) continue;
  return digest();
}

export const digestText = (text: string): FileDigest => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text),
});

/** Passes bytes through unchanged while computing their digest. */
function digestStream(): DigestStream {
  const hash = createHash('sha256');
  let size = 0;
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { through, digest: () => ({ sha256: hash.digest('hex'), size }) };
}

interface DigestStream {
  readonly through: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  /** The digest of everything that has passed; call it once, at the end. */
  readonly digest: () => FileDigest;
}
