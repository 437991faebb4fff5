import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { readTar, type TarFile } from '../../util/read-tar.ts';
import { INDEX, parseIndex, sha256Hex, SIGNATURE, type BundleIndex } from './bundle-index.ts';
import { detectCompression, type Compression } from './compression.ts';
import { signerOf } from './sign.ts';

/** A bundle whose index has been read. Its files are read later, in archive order. */
export interface OpenBundle extends AsyncDisposable {
  readonly path: string;
  readonly index: BundleIndex;
  /** Checksum of the index. Delta bundles use it to identify their base bundle. */
  readonly id: string;
  /** The public key of the signature; undefined if the signature does not match the index. */
  readonly signer: KeyObject | undefined;
  readonly files: AsyncIterable<TarFile>;
}

/** Opens a bundle file. Detects the compression format from the first bytes, not from the file name. */
export async function openBundleFile(path: string, zstd: Compression | undefined): Promise<OpenBundle> {
  const compression = detectCompression(path, await firstBytes(path), zstd);
  if (!compression) throw unreadableBundle(path, 'it is neither a zstd nor a gzip archive');
  return openBundle(path, compression.decompress(createReadStream(path, { highWaterMark: 1 << 20 })));
}

async function firstBytes(path: string): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing ? fail('FILE_NOT_FOUND', { path }, error) : unreadableBundle(path, error);
  }
}

/** Reads the index and the signature from a tar stream. The caller reads the rest. */
export async function openBundle(path: string, tar: AsyncIterable<Buffer>): Promise<OpenBundle> {
  const files = readTar(tar);
  const close = async () => void (await files.return(undefined).catch(() => undefined));
  try {
    const text = await readNext(files, INDEX);
    const signature = await readNext(files, SIGNATURE);
    const index = parseIndex(text);
    if ('problem' in index) throw new Error(`its index is not supported by this version of kubexm: ${index.problem}`);
    return Object.freeze<OpenBundle>({
      path,
      index,
      id: sha256Hex(text),
      signer: signerOf(text, signature),
      files,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await close();
    if (error instanceof KubexmError) throw error;
    throw unreadableBundle(path, error);
  }
}

export const unreadableBundle = (path: string, error: unknown) =>
  fail('BUNDLE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);

async function readNext(files: AsyncGenerator<TarFile>, name: string): Promise<string> {
  const next = await files.next();
  if (next.done || next.value.path !== name) throw new Error(`${name} is missing at the start of the archive`);
  if (next.value.size > MAX_BYTES) throw new Error(`${name} is larger than ${MAX_BYTES >> 20} MiB`);
  const parts: Buffer[] = [];
  for await (const part of next.value.content) parts.push(part);
  return Buffer.concat(parts).toString();
}

const MAX_BYTES = 64 << 20;
