import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** What a tar holds. Paths are without a leading slash. */
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

/** A tar as bytes, the same for the same entries: everything belongs to root and is of one moment, in seconds since 1970. */
export async function* tarOf(entries: Iterable<TarEntry>, moment = 0): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    const { path } = entry;
    switch (entry.type) {
      case 'file': {
        const { size } = await stat(entry.from);
        yield* headers({ path, type: '0', mode: entry.mode, size, moment });
        yield* createReadStream(entry.from, { highWaterMark: CHUNK });
        yield padding(size);
        break;
      }
      case 'content':
        yield* headers({ path, type: '0', mode: entry.mode, size: entry.size, moment });
        yield* entry.content;
        yield padding(entry.size);
        break;
      case 'text': {
        const bytes = Buffer.from(entry.text);
        yield* headers({ path, type: '0', mode: entry.mode, size: bytes.length, moment });
        yield bytes;
        yield padding(bytes.length);
        break;
      }
      case 'folder':
        yield* headers({ path: `${path}/`, type: '5', mode: entry.mode, size: 0, moment });
        break;
      case 'link':
        yield* headers({ path, type: '2', mode: 0o777, size: 0, to: entry.to, moment });
    }
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** The entries with the folders above them, in the order of their paths, each once. */
export function withFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const above = entries.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, last) => ({ type: 'folder', path: parts.slice(0, last + 1).join('/'), mode: 0o755 }) as const);
  });
  const byPath = new Map<string, TarEntry>([...above, ...entries].map((entry) => [entry.path, entry]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const CHUNK = 1 << 20;
const BLOCK = 512;

// What begins a size that is no octal digits because it does not fit into them.
const BINARY = 0x80;

interface Header {
  readonly path: string;
  readonly type: '0' | '2' | '5' | 'x';
  readonly mode: number;
  readonly size: number;
  readonly to?: string;
  readonly moment: number;
}

/** A header, and before it what does not fit into its fields. */
function* headers(header: Header): Generator<Buffer> {
  const long = [
    ...(Buffer.byteLength(header.path) > 100 ? [record('path', header.path)] : []),
    ...(Buffer.byteLength(header.to ?? '') > 100 ? [record('linkpath', header.to ?? '')] : []),
  ].join('');
  if (long !== '') {
    const bytes = Buffer.from(long);
    yield block({ path: 'PaxHeaders/long', type: 'x', mode: 0o644, size: bytes.length, moment: header.moment });
    yield bytes;
    yield padding(bytes.length);
  }
  yield block(header);
}

/** A line of a pax header, whose length counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = (digits: number): number => {
    const all = Buffer.byteLength(rest) + digits;
    return String(all).length === digits ? all : length(digits + 1);
  };
  return `${length(1)}${rest}`;
}

function block({ path, type, mode, size, to = '', moment }: Header): Buffer {
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
  octal(moment, 136, 12);
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
