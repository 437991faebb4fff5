import type { Readable } from 'node:stream';

/** Content that can be read from any offset, with its sum known beforehand. */
export interface ReadableLike {
  readonly size: number;
  readonly sha256: string;
  open(offset: number): Readable;
}
