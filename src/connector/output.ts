import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import type { ExecOptions } from './connector.ts';

/** Resolves when a stream ends, fails or is closed. */
export const streamEnd = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });

/** Collected output of one stream. */
export interface Sink {
  write(data: Buffer): void;
  /** Skips output that the host did not keep. */
  skip(bytes: number): void;
  /** Bytes received or skipped so far. */
  length(): number;
  /**
   * Returns the output. Output longer than the limit is reduced to its start and end, with a note about the omitted
   * part.
   */
  text(): string;
}

/** Collects an output stream and passes on its lines as they arrive. */
export function createSink(stream: 'stdout' | 'stderr', onLine: ExecOptions['onLine'], kept = KEPT): Sink {
  const decoder = new StringDecoder('utf8');
  const lines = onLine && splitLines((line) => onLine(line, stream));
  const head = collectBytes(kept);
  const tail = collectBytes(kept);
  let length = 0;
  return {
    write(data) {
      length += data.length;
      const room = kept - head.length();
      if (room > 0) head.add(data.subarray(0, room));
      if (data.length > room) tail.add(data.subarray(Math.max(0, room)));
      lines?.write(decoder.write(data));
    },
    skip(bytes) {
      length += bytes;
      tail.clear();
      lines?.write(`\n${cutNote(bytes)}\n`);
    },
    length: () => length,
    text() {
      lines?.end();
      const end = tail.last();
      const cut = length - head.length() - end.length;
      return `${head.last().toString('utf8')}${cut > 0 ? `\n${cutNote(cut)}\n` : ''}${end.toString('utf8')}`;
    },
  };
}

const cutNote = (bytes: number) => `[kubexm: ${bytes} bytes of output omitted]`;

/** Keeps at least the last `kept` bytes. Drops old chunks, so that adding a chunk takes constant time. */
function collectBytes(kept: number) {
  let chunks: Buffer[] = [];
  let length = 0;
  return {
    add(data: Buffer) {
      chunks.push(data);
      length += data.length;
      // Compacts only occasionally, because removing the first chunk of a long list is expensive.
      if (length < 2 * kept) return;
      const last = Buffer.concat(chunks).subarray(-kept);
      chunks = [Buffer.from(last)];
      length = last.length;
    },
    clear() {
      chunks = [];
      length = 0;
    },
    length: () => length,
    last: () => Buffer.concat(chunks).subarray(-kept),
  };
}

/** Splits text into lines in linear time. Replaces the end of a long line with a note. */
function splitLines(onLine: (line: string) => void) {
  let line = '';
  let cut = 0;
  const add = (text: string) => {
    const room = MAX_LINE - line.length;
    line += text.slice(0, room);
    cut += Math.max(0, text.length - room);
  };
  const emit = () => {
    onLine(cut === 0 ? line : `${line} [kubexm: ${cut} characters omitted]`);
    line = '';
    cut = 0;
  };
  return {
    write(text: string) {
      let from = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        add(text.slice(from, end));
        emit();
        from = end + 1;
      }
      add(text.slice(from));
    },
    end() {
      if (line !== '') emit();
    },
  };
}

const MAX_LINE = 64 * 1024;
/** Number of bytes kept in memory from the start and from the end of the output. */
const KEPT = 2 * 1024 * 1024;
