import type { IncomingHttpHeaders } from 'node:http';

/** The byte range of a request. */
export type ByteRange =
  | { readonly type: 'whole' }
  | { readonly type: 'part'; readonly start: number; readonly end: number }
  | { readonly type: 'beyond' };

/** Parses the Range header. Multiple ranges, or an If-Range tag that does not match, select the whole file. */
export function rangeOf(headers: IncomingHttpHeaders, tag: string, size: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return { type: 'whole' };
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== tag) return { type: 'whole' };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? { type: 'beyond' } : { type: 'part', start, end };
}
