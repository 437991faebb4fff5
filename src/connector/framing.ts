import { randomBytes } from 'node:crypto';
import { Transform } from 'node:stream';

/** Returns a random word that does not occur in output by chance. */
export const newMarker = (): string => randomBytes(16).toString('hex');

/** The result of scanning one chunk of output. */
export interface Scanned {
  /** Output that is not part of a frame. */
  readonly data: Buffer;
  /** The text after each marker, such as `exit 0`, with its offset in `data`. */
  readonly frames: readonly { readonly at: number; readonly text: string }[];
}

/**
 * Separates output from frames. A frame consists of the marker, some words and a newline. It may start in the middle of
 * a line, because output does not always end with a newline.
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
      const found = text.indexOf(start, from);
      const end = found < 0 ? -1 : text.indexOf(NEWLINE, found);
      // Without a limit, a host could make each chunk take longer than the previous one.
      const at = end < 0 && text.length - found > MAX_FRAME ? -1 : found;
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

/**
 * Passes on the output after the marker line, which may contain an ID. Reports output before that line, such as a login
 * banner.
 */
export function skipUntilMarker(
  marker: string,
  onBefore: (text: string) => void,
  onMarker: (id: string | undefined) => void,
): Transform {
  const start = Buffer.from(marker);
  let before: Buffer | undefined = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (before === undefined) return done(null, chunk);
      before = Buffer.concat([before, chunk]);
      // Avoids a regular expression, because compiling one for each shell costs more than everything else here.
      const found = before.indexOf(start);
      const end = found < 0 ? -1 : before.indexOf(NEWLINE, found);
      if (end < 0) {
        onBefore(before.toString('utf8'));
        before = before.subarray(-MAX_BEFORE);
        return done();
      }
      const id = before.toString('latin1', found + start.length, end).trim();
      const after = before.subarray(end + 1);
      before = undefined;
      onMarker(id === '' ? undefined : id);
      done(null, after);
    },
  });
}

/** Returns the number of trailing bytes that may be the start of the marker. */
function possibleStart(text: Buffer, start: Buffer): number {
  for (let length = Math.min(text.length, start.length - 1); length > 0; length--) {
    if (text.subarray(text.length - length).equals(start.subarray(0, length))) return length;
  }
  return 0;
}

const NEWLINE = 0x0a;
const MAX_BEFORE = 64 * 1024;
const MAX_FRAME = 64 * 1024;
