import { expect, test } from 'vitest';
import { executableName } from '../../../../src/lab/mirror/go/build.ts';
import { approximately, startEstimate } from '../../../../src/lab/mirror/estimate.ts';

const costs = [
  { cpuSeconds: 600, packages: 100 },
  { cpuSeconds: 300, packages: 50 },
];

function estimateAt(seconds: number, parts: readonly number[], cpus: number): number {
  let time = 0;
  const estimate = startEstimate(costs, cpus, () => time);
  for (const [index, part] of parts.entries()) estimate.advance(index, part);
  time = seconds;
  return estimate.remainingSeconds();
}

test('at the start the estimate follows from typical costs and the number of CPUs', () => {
  expect(estimateAt(0, [], 2)).toBe(500);
  expect(estimateAt(0, [], 1)).toBe(1000);
  expect(estimateAt(0, [], 64)).toBe(estimateAt(0, [], 6));
});

test('a slow build raises the estimate, a fast one lowers it', () => {
  const slow = estimateAt(600, [0.5, 0], 2);
  const usual = estimateAt(600 / 3.6, [0.5, 0], 2);
  const fast = estimateAt(60, [0.5, 0], 2);
  expect(slow).toBeGreaterThan(usual);
  expect(usual).toBeCloseTo(600 / 1.8, -1);
  expect(fast).toBeLessThan(usual);
});

test('a finished build has nothing left, and progress never goes back', () => {
  expect(estimateAt(100, [1, 1], 2)).toBe(0);
  const estimate = startEstimate(costs, 2, () => 0);
  estimate.advance(0, 0.5);
  const half = estimate.remainingSeconds();
  estimate.advance(0, 0.1);
  expect(estimate.remainingSeconds()).toBe(half);
});

test.each([
  [3, 'less than 1 min'],
  [65, 'about 1 min'],
  [100, 'about 2 min'],
  [700, 'about 12 min'],
])('%d s is shown as "%s"', (seconds, text) => {
  expect(approximately(seconds)).toBe(text);
});

test.each([
  ['github.com/containerd/containerd/v2/cmd/ctr', 'ctr'],
  ['go.etcd.io/etcd/server/v3', 'server'],
  ['.', 'build'],
])('go build names the executable of %s %s', (path, name) => {
  expect(executableName(path)).toBe(name);
});
