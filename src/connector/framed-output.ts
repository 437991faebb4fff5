import type { Readable } from 'node:stream';
import { frameScanner } from './framing.ts';

/** Output divided into frames. */
export interface FramedOutput {
  /** The output before each frame and the text of the frame. */
  readonly sections: readonly { readonly text: string; readonly frame: string }[];
  readonly isTooLong: boolean;
}

/** When to stop reading. */
export interface FrameLimits {
  readonly frames: number;
  readonly bytes: number;
}

/**
 * Reads a number of frames from a stream, or until it ends, fails or is closed. If the output exceeds the byte limit,
 * calls `onTooLong` and drops the rest. Removes all listeners, because the next script may use the same stream.
 */
export function readFrames(
  stream: Readable,
  marker: string,
  limits: FrameLimits,
  onTooLong: () => void,
): Promise<FramedOutput> {
  const scan = frameScanner(marker);
  const sections: { text: string; frame: string }[] = [];
  let section: Buffer[] = [];
  let left = limits.bytes;
  return new Promise((resolve) => {
    const end = () => {
      stream.off('data', onData);
      for (const event of ENDS) stream.off(event, end);
      resolve({ sections, isTooLong: left < 0 });
    };
    const onData = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) return onTooLong();
      const { data, frames } = scan(chunk);
      let from = 0;
      for (const { at, text: frame } of frames) {
        section.push(data.subarray(from, at));
        sections.push({ text: Buffer.concat(section).toString('utf8'), frame });
        section = [];
        from = at;
      }
      if (from < data.length) section.push(data.subarray(from));
      if (sections.length >= limits.frames) end();
    };
    stream.on('data', onData);
    for (const event of ENDS) stream.on(event, end);
    if (stream.destroyed) end();
  });
}

const ENDS = ['end', 'close', 'error'] as const;
