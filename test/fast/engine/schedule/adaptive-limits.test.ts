import { expect, it } from 'vitest';
import { nextTotal } from '../../../../src/engine/schedule/adaptive-limits.ts';

const idle = { lateMs: 1, memory: 0.1 };

it('raises the limit gradually while CPU and memory allow, up to a maximum', () => {
  expect(nextTotal(256, idle)).toBe(320);
  expect(nextTotal(1, idle)).toBe(2);
  expect(nextTotal(4000, idle)).toBe(4096);
});

it('halves the limit when the event loop lags or memory is short, down to a minimum', () => {
  expect(nextTotal(256, { ...idle, lateMs: 150 })).toBe(128);
  expect(nextTotal(256, { ...idle, memory: 0.9 })).toBe(128);
  expect(nextTotal(17, { lateMs: 9000, memory: 1 })).toBe(16);
});

it('keeps the limit between these thresholds', () => {
  expect(nextTotal(256, { ...idle, lateMs: 50 })).toBe(256);
  expect(nextTotal(256, { ...idle, memory: 0.7 })).toBe(256);
});
