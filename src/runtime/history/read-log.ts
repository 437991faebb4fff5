import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogRecord } from '../../engine/event/json-log.ts';

/** Yields the records of a log in order. With `live`, follows the log until `live` returns false. Skips invalid lines. */
export async function* readLog(path: string, live?: () => Promise<boolean>): AsyncGenerator<LogRecord> {
  let from = 0;
  let rest = Buffer.alloc(0);
  for (let following = true; following;) {
    // Checked before reading, so that the last records of a run that just ended are not missed.
    following = (await live?.()) ?? false;
    const bytes = await readFrom(path, from);
    from += bytes.length;
    const text = Buffer.concat([rest, bytes]);
    const end = text.lastIndexOf(10) + 1;
    rest = text.subarray(end);
    yield* records(text.toString('utf8', 0, end));
    if (following) await pause(200);
  }
}

/** Reads what was appended since the last read; empty if the file does not exist. */
async function readFrom(path: string, from: number): Promise<Buffer<ArrayBuffer>> {
  await using file = await open(path, 'r').catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of file.createReadStream({ start: from, autoClose: false })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function* records(text: string): Generator<LogRecord> {
  for (const line of text.split('\n')) {
    const record = parse(line);
    if (record) yield record;
  }
}

function parse(line: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is LogRecord =>
  typeof value === 'object' &&
  value !== null &&
  ['timestamp', 'level', 'event', 'message'].every((key) => typeof Reflect.get(value, key) === 'string');
