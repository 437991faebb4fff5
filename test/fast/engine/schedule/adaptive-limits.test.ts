import { expect, it } from 'vitest';
import { nextTotal } from '../../../../src/engine/schedule/adaptive-limits.ts';

const calm = { lateMs: 1, memory: 0.1 };

it('goes up step by step while there is time and memory, and not for ever', () => {
  expect(nextTotal(256, calm)).toBe(320);
  expect(nextTotal(1, calm)).toBe(2);
  expect(nextTotal(4000, calm)).toBe(4096);
});

it('halves when work is late or memory is short, and never stops', () => {
  expect(nextTotal(256, { ...calm, lateMs: 150 })).toBe(128);
  expect(nextTotal(256, { ...calm, memory: 0.9 })).toBe(128);
  expect(nextTotal(17, { lateMs: 9000, memory: 1 })).toBe(16);
});

it('stays in between', () => {
  expect(nextTotal(256, { ...calm, lateMs: 50 })).toBe(256);
  expect(nextTotal(256, { ...calm, memory: 0.7 })).toBe(256);
});
