/** A file of a tar. Its content has to be read before the next file is asked for. */
export interface TarFile {
  readonly path: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** The files of a tar as they come; anything else in it, or an end that is none, is an error. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  await using bytes = bytesOf(source);
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (isZero(header)) break;
    const file = fileOf(header);
    yield { ...file, content: bytes.content(file.size) };
    const padding = await bytes.take((BLOCK - (file.size % BLOCK)) % BLOCK);
    if (!isZero(padding)) throw new Error(`${file.path} is longer than it says`);
  }
  for await (const rest of bytes.rest()) if (!isZero(rest)) throw new Error('it goes on behind its end');
}

const BLOCK = 512;
const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0);

function fileOf(header: Buffer): Omit<TarFile, 'content'> {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw new Error('a header of it is damaged');
  const path = textAt(header, 0, 100);
  if (textAt(header, 156, 1) !== '0') throw new Error(`${path} is no regular file`);
  return { path, size: header[124] === BINARY ? Number(header.readBigUInt64BE(128)) : octal(header, 124, 12) };
}

const BINARY = 0x80;
const octal = (header: Buffer, at: number, width: number) => Number.parseInt(textAt(header, at, width), 8) || 0;

const textAt = (header: Buffer, at: number, width: number) => {
  const field = header.subarray(at, at + width);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? width : end).toString();
};

interface Bytes extends AsyncDisposable {
  readonly take: (count: number) => Promise<Buffer>;
  readonly content: (count: number) => AsyncGenerator<Buffer>;
  readonly rest: () => AsyncGenerator<Buffer>;
}

/** Bytes by number, whatever the pieces are that they come in. */
function bytesOf(source: AsyncIterable<Buffer>): Bytes {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let left = 0;
  const fill = async () => {
    const piece = await pieces.next();
    if (!piece.done) held = piece.value;
    return !piece.done;
  };
  async function* remaining() {
    while (left > 0) {
      if (held.length === 0 && !(await fill())) throw new Error('it ends too early');
      const part = held.subarray(0, left);
      held = held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  // Counted now, not when it is read: nobody has to read it.
  const content = (count: number) => {
    left = count;
    return remaining();
  };
  async function* rest() {
    if (held.length > 0) yield held;
    while (await fill()) yield held;
  }
  const take = async (count: number) => {
    // What a reader left of a file.
    for await (const _ of remaining()) continue;
    const parts: Buffer[] = [];
    for await (const part of content(count)) parts.push(part);
    return Buffer.concat(parts);
  };
  return { take, content, rest, [Symbol.asyncDispose]: async () => void (await pieces.return?.()) };
}
