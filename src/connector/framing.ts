import { randomBytes } from 'node:crypto';
import { Transform } from 'node:stream';

/** A word that no output contains by chance. */
export const newMarker = (): string => randomBytes(16).toString('hex');

/** What a scanner makes of one piece of output. */
export interface Scanned {
  /** Output that is surely not part of a frame. */
  readonly data: Buffer;
  /** The rest of each line that began with the marker: `exit 0`. */
  readonly frames: readonly { readonly at: number; readonly text: string }[];
}

/**
 * Tells output from frames. A frame is the marker, some words and a line end; it may begin in the middle of a line,
 * because output need not end with one.
 */
export function frameScanner(marker: string): (chunk: Buffer) => Scanned {
  const start = Buffer.from(marker);
  let held = Buffer.alloc(0);
  return (chunk) => {
    const text = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const data: Buffer[] = [];
    const frames: { at: number; text: string }[] = [];
    let from = 0;
    let length = 0;
    for (;;) {
      const at = text.indexOf(start, from);
      const end = at < 0 ? -1 : text.indexOf(NEWLINE, at);
      const until = at >= 0 ? at : text.length - possibleStart(text.subarray(from), start);
      data.push(text.subarray(from, until));
      length += until - from;
      if (end < 0) {
        held = Buffer.from(text.subarray(until));
        return { data: Buffer.concat(data), frames };
      }
      frames.push({ at: length, text: text.toString('utf8', at + start.length, end).trim() });
      from = end + 1;
    }
  };
}

/** Lets through what comes after a line that is the marker, alone or with an id; tells what came before, such as a greeting. */
export function skipUntilMarker(
  marker: string,
  onBefore: (text: string) => void,
  onMarker: (id: string | undefined) => void,
): Transform {
  const line = new RegExp(`${marker}(?: ([0-9a-f-]+))?\n`);
  let before: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (before === undefined) return done(null, chunk);
      before = Buffer.concat([before, chunk]);
      // As bytes: what comes after may be cut in the middle of a letter.
      const match = line.exec(before.toString('latin1'));
      if (!match) {
        onBefore(before.toString('utf8'));
        before = before.subarray(-MOST_BEFORE);
        return done();
      }
      const after = before.subarray(match.index + match[0].length);
      before = undefined;
      onMarker(match[1]);
      done(null, after);
    },
  });
}

/** How many bytes at the end may be the beginning of the marker. */
function possibleStart(text: Buffer, start: Buffer): number {
  for (let length = Math.min(text.length, start.length - 1); length > 0; length--) {
    if (text.subarray(text.length - length).equals(start.subarray(0, length))) return length;
  }
  return 0;
}

const NEWLINE = 0x0a;
const MOST_BEFORE = 64 * 1024;
