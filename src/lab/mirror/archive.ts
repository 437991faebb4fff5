import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { tarOf, type TarEntry } from '../../util/tar.ts';

/** A file by its content. */
export interface Sum {
  readonly sha256: string;
  readonly size: number;
}

/** Writes a tar.gz, and resolves with its sum and that of the tar inside. */
export async function writeArchive(
  path: string,
  entries: readonly TarEntry[],
  signal?: AbortSignal,
): Promise<Sum & { readonly tarSha256: string }> {
  const tar = tap();
  const packed = tap();
  const stages = [
    Readable.from(tarOf(entries, MOMENT)),
    tar.through,
    createGzip({ level: 6 }),
    packed.through,
  ] as const;
  await pipeline(...stages, createWriteStream(path), signal ? { signal } : {});
  return { ...packed.sum(), tarSha256: tar.sum().sha256 };
}

// One moment for all, so that a second build gives the same bytes: 2026-01-01.
export const MOMENT = 1_767_225_600;

/** The sum of a file. */
export async function sumOf(path: string): Promise<Sum> {
  const { through, sum } = tap();
  for await (const _ of through(createReadStream(path, { highWaterMark: 1 << 20 }))) continue;
  return sum();
}

export const sumOfText = (text: string): Sum => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  size: Buffer.byteLength(text),
});

/** Listens to bytes that pass by. */
function tap(): Tap {
  const hash = createHash('sha256');
  let size = 0;
  async function* through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { through, sum: () => ({ sha256: hash.digest('hex'), size }) };
}

interface Tap {
  readonly through: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  readonly sum: () => Sum;
}
