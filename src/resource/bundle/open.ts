import type { KeyObject } from 'node:crypto';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { readTar, type TarFile } from '../../util/read-tar.ts';
import { INDEX, parseIndex, SIGNATURE, sumOfText, type BundleIndex } from './bundle-index.ts';
import { signerOf } from './sign.ts';

/** A bundle whose index is read; the files follow in the order of the archive. */
export interface OpenBundle extends AsyncDisposable {
  readonly path: string;
  readonly index: BundleIndex;
  /** The sum of the index: what bundles call their base by. */
  readonly id: string;
  /** Undefined when the index is not what was signed. */
  readonly signer: KeyObject | undefined;
  readonly files: AsyncIterable<TarFile>;
}

/** Reads the index out of the bytes of a tar, and leaves the rest for who wants it. */
export async function openBundle(path: string, tar: AsyncIterable<Buffer>): Promise<OpenBundle> {
  const files = readTar(tar);
  const close = async () => void (await files.return(undefined).catch(() => undefined));
  try {
    const text = await textOf(files, INDEX);
    const signature = await textOf(files, SIGNATURE);
    const index = parseIndex(text);
    if ('problem' in index) throw new Error(`its index is not one that this kubexm knows: ${index.problem}`);
    return Object.freeze<OpenBundle>({
      path,
      index,
      id: sumOfText(text),
      signer: signerOf(text, signature),
      files,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await close();
    if (error instanceof KubexmError) throw error;
    throw unreadable(path, error);
  }
}

export const unreadable = (path: string, error: unknown) =>
  fail('BUNDLE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);

async function textOf(files: AsyncGenerator<TarFile>, name: string): Promise<string> {
  const next = await files.next();
  if (next.done || next.value.path !== name) throw new Error(`it has no ${name} where a bundle has it`);
  if (next.value.size > MOST) throw new Error(`its ${name} is too big`);
  const parts: Buffer[] = [];
  for await (const part of next.value.content) parts.push(part);
  return Buffer.concat(parts).toString();
}

const MOST = 64 << 20;
