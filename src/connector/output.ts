import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import type { ExecOptions } from './connector.ts';

/** Reads a stream until it ends, fails or is closed. */
export async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await streamEnd(stream);
  return Buffer.concat(chunks);
}

/** Resolves when a stream ends, fails or is closed. */
export const streamEnd = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });

/** Collected output of one stream. */
export interface Sink {
  write(data: Buffer): void;
  /** Bytes received so far. */
  length(): number;
  text(): string;
}

/** Collects one output stream and passes on its lines as they arrive. */
export function createSink(stream: 'stdout' | 'stderr', onLine: ExecOptions['onLine']): Sink {
  const chunks: Buffer[] = [];
  const decoder = new StringDecoder('utf8');
  let length = 0;
  let line = '';
  return {
    write(data) {
      chunks.push(data);
      length += data.length;
      if (!onLine) return;
      const lines = (line + decoder.write(data)).split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) onLine(each, stream);
    },
    length: () => length,
    text() {
      if (onLine && line !== '') onLine(line, stream);
      line = '';
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
