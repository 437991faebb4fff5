import { Readable } from 'node:stream';
import type { UploadSource } from '../../../src/connector/upload-source.ts';

/** Wraps an upload source and counts the bytes read and how often it was opened. */
export function countReads(source: UploadSource, onData: (bytes: number) => unknown = () => {}) {
  const count = { bytes: 0, opened: 0 };
  const opened = (offset: number) => {
    count.opened++;
    return Readable.from(
      (async function* () {
        for await (const chunk of source.open(offset)) {
          count.bytes += chunk.length;
          await onData(count.bytes);
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
  };
  return { source: { size: source.size, sha256: source.sha256, open: opened }, count };
}
