import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** An entry of a tar archive. Paths have no leading slash. */
export type TarEntry =
  | { readonly type: 'file'; readonly path: string; readonly from: string; readonly mode: number }
  | {
      readonly type: 'content';
      readonly path: string;
      readonly content: AsyncIterable<Buffer>;
      readonly size: number;
      readonly mode: number;
    }
  | { readonly type: 'text'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly type: 'folder'; readonly path: string; readonly mode: number }
  | { readonly type: 'link'; readonly path: string; readonly to: string };

/** Creates a reproducible tar archive: all entries belong to root and have the same mtime (seconds since 1970). */
export async function* tarOf(entries: Iterable<TarEntry>, mtime = 0): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    const { path } = entry;
    switch (entry.type) {
      case 'file': {
        const { size } = await stat(entry.from);
        yield* headers({ path, type: '0', mode: entry.mode, size, mtime });
        yield* createReadStream(entry.from, { highWaterMark: CHUNK });
        yield padding(size);
        break;
      }
      case 'content':
        yield* headers({ path, type: '0', mode: entry.mode, size: entry.size, mtime });
        yield* entry.content;
        yield padding(entry.size);
        break;
      case 'text': {
        const bytes = Buffer.from(entry.text);
        yield* headers({ path, type: '0', mode: entry.mode, size: bytes.length, mtime });
        yield bytes;
        yield padding(bytes.length);
        break;
      }
      case 'folder':
        yield* headers({ path: `${path}/`, type: '5', mode: entry.mode, size: 0, mtime });
        break;
      case 'link':
        yield* headers({ path, type: '2', mode: 0o777, size: 0, to: entry.to, mtime });
    }
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** Adds the parent folders of all entries; the result is sorted by path and has no duplicates. */
export function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const parents = entries.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, last) => ({ type: 'folder', path: parts.slice(0, last + 1).join('/'), mode: 0o755 }) as const);
  });
  const byPath = new Map<string, TarEntry>([...parents, ...entries].map((entry) => [entry.path, entry]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const CHUNK = 1 << 20;
const BLOCK = 512;

// Marks a size that is too large for octal digits and stored in binary.
const BINARY = 0x80;

interface Header {
  readonly path: string;
  readonly type: '0' | '2' | '5' | 'x';
  readonly mode: number;
  readonly size: number;
  readonly to?: string;
  readonly mtime: number;
}

/** The header, preceded by a pax header if its path or link target is too long. */
function* headers(header: Header): Generator<Buffer> {
  const long = [
    ...(Buffer.byteLength(header.path) > 100 ? [record('path', header.path)] : []),
    ...(Buffer.byteLength(header.to ?? '') > 100 ? [record('linkpath', header.to ?? '')] : []),
  ].join('');
  if (long !== '') {
    const bytes = Buffer.from(long);
    yield block({ path: 'PaxHeaders/long', type: 'x', mode: 0o644, size: bytes.length, mtime: header.mtime });
    yield bytes;
    yield padding(bytes.length);
  }
  yield block(header);
}

/** A pax record; its length includes the digits of the length itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = (digits: number): number => {
    const all = Buffer.byteLength(rest) + digits;
    return String(all).length === digits ? all : length(digits + 1);
  };
  return `${length(1)}${rest}`;
}

function block({ path, type, mode, size, to = '', mtime }: Header): Buffer {
  const bytes = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number) =>
    bytes.write(value.toString(8).padStart(width - 1, '0'), at, width - 1);
  bytes.write(path, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (size < 8 ** 11) octal(size, 124, 12);
  else {
    bytes.writeUInt8(BINARY, 124);
    bytes.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(mtime, 136, 12);
  bytes.write('        ', 148);
  bytes.write(type, 156);
  bytes.write(to, 157, 100);
  bytes.write('ustar\u000000', 257);
  bytes.write('root', 265);
  bytes.write('root', 297);
  octal(
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  bytes.write('\0 ', 154);
  return bytes;
}

const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
