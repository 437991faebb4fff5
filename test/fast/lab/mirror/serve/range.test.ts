import { expect, test } from 'vitest';
import { rangeOf } from '../../../../../src/lab/mirror/serve/range.ts';

test.each([
  [{}, { type: 'whole' }],
  [{ range: 'bytes=0-9' }, { type: 'part', start: 0, end: 9 }],
  [{ range: 'bytes=90-' }, { type: 'part', start: 90, end: 99 }],
  [{ range: 'bytes=90-500' }, { type: 'part', start: 90, end: 99 }],
  [{ range: 'bytes=-10' }, { type: 'part', start: 90, end: 99 }],
  [{ range: 'bytes=-500' }, { type: 'part', start: 0, end: 99 }],
  [{ range: 'bytes=100-' }, { type: 'beyond' }],
  [{ range: 'bytes=9-3' }, { type: 'beyond' }],
  [{ range: 'bytes=0-1,5-6' }, { type: 'whole' }],
  [{ range: 'lines=0-9' }, { type: 'whole' }],
  [
    { range: 'bytes=5-', 'if-range': '"tag"' },
    { type: 'part', start: 5, end: 99 },
  ],
  [{ range: 'bytes=5-', 'if-range': '"old"' }, { type: 'whole' }],
])('%j of 100 bytes', (headers, expected) => {
  expect(rangeOf(headers, '"tag"', 100)).toEqual(expected);
});
