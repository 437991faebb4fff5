/** A file in a tar archive. Read its content before requesting the next file. */
export interface TarFile {
  readonly path: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Streams the files of a tar archive. Other entry types and a truncated archive are errors. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  await using bytes = bytesOf(source);
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (isZero(header)) break;
    const file = fileOf(header);
    yield { ...file, content: bytes.content(file.size) };
    const padding = await bytes.take((BLOCK - (file.size % BLOCK)) % BLOCK);
    if (!isZero(padding)) throw new Error(`${file.path} is longer than its header says`);
  }
  let padding = 0;
  for await (const rest of bytes.rest()) {
    if (!isZero(rest)) throw new Error('there is data after the end of the archive');
    // Compressed zeros may unpack to any size.
    if ((padding += rest.length) > MAX_PADDING)
      throw new Error('there is too much padding after the end of the archive');
  }
}

/** tar pads archives to a multiple of its record size, which is 10 KiB by default. */
const MAX_PADDING = 16 << 20;

const BLOCK = 512;
const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0);

function fileOf(header: Buffer): Omit<TarFile, 'content'> {
  const checksum = header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (checksum !== octal(header, 148, 8)) throw new Error('a header is corrupt');
  const path = textAt(header, 0, 100);
  if (textAt(header, 156, 1) !== '0') throw new Error(`${path} is not a regular file`);
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

/** Reads exact numbers of bytes from chunks of any size. */
function bytesOf(source: AsyncIterable<Buffer>): Bytes {
  const chunks = source[Symbol.asyncIterator]();
  let buffer: Buffer = Buffer.alloc(0);
  let left = 0;
  const fill = async () => {
    const chunk = await chunks.next();
    if (!chunk.done) buffer = chunk.value;
    return !chunk.done;
  };
  async function* remaining() {
    while (left > 0) {
      if (buffer.length === 0 && !(await fill())) throw new Error('it is truncated');
      const part = buffer.subarray(0, left);
      buffer = buffer.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  // Counted now and not when read, because the caller may skip it.
  const content = (count: number) => {
    left = count;
    return remaining();
  };
  async function* rest() {
    if (buffer.length > 0) yield buffer;
    while (await fill()) yield buffer;
  }
  const take = async (count: number) => {
    // Skips the rest of the previous file.
    for await (const _ of remaining()) continue;
    const parts: Buffer[] = [];
    for await (const part of content(count)) parts.push(part);
    return Buffer.concat(parts);
  };
  return { take, content, rest, [Symbol.asyncDispose]: async () => void (await chunks.return?.()) };
}
