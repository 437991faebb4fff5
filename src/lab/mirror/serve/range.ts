import type { IncomingHttpHeaders } from 'node:http';

/** Which bytes a request wants of a file. */
export type ByteRange =
  | { readonly type: 'whole' }
  | { readonly type: 'part'; readonly start: number; readonly end: number }
  | { readonly type: 'beyond' };

/** Reads the Range header. Several ranges at once, or a part of a file that is another by now, give the whole. */
export function rangeOf(headers: IncomingHttpHeaders, tag: string, size: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return { type: 'whole' };
  const asked = headers['if-range'];
  if (asked !== undefined && asked !== tag) return { type: 'whole' };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? { type: 'beyond' } : { type: 'part', start, end };
}
