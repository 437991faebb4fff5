import { createReadStream } from 'node:fs';
import { fail } from '../../common/errors/errors.ts';
import { decode, type JournalRecord } from './record.ts';

/** The intact part of a journal. */
export interface JournalEnd {
  readonly records: number;
  readonly bytes: number;
}

/**
 * Reads a journal and passes every record to `take`. Ignores a last line that was truncated by a crash. Earlier
 * corruption is an error.
 */
export async function readJournal(path: string, take: (record: JournalRecord) => void): Promise<JournalEnd> {
  let records = 0;
  let bytes = 0;
  let bad = 0;
  for await (const line of linesOf(path)) {
    const record = bad === 0 && line.complete ? decode(line.text, records + 1) : undefined;
    if (record) {
      records += 1;
      bytes += line.bytes;
      take(record);
    } else if (line.text !== '') bad += 1;
    if (bad > 1) throw fail('JOURNAL_INVALID', { path, line: records + 1 });
  }
  return { records, bytes };
}

interface Line {
  readonly text: string;
  /** Length including the newline. */
  readonly bytes: number;
  readonly complete: boolean;
}

/** Reads lines without readline, which does not report whether the last line ends with a newline. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const block: Buffer = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
        yield { text: block.toString('utf8', start, end), bytes: end + 1 - start, complete: true };
        start = end + 1;
      }
      rest = block.subarray(start);
    }
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) throw error;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), bytes: rest.length, complete: false };
}
