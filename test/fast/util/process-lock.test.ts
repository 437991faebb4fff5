import { expect, test } from 'vitest';
import { withLock } from '../../../src/util/process-lock.ts';

test('runs one holder at a time, and is released after a failure', async () => {
  const order: string[] = [];
  const name = `test-${process.pid}`;
  const act = (label: string) =>
    withLock(name, async () => {
      order.push(`${label} starts`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${label} ends`);
    });
  await expect(withLock(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await Promise.all([act('a'), act('b')]);
  expect(order).toHaveLength(4);
  expect(order[0]?.[0]).toBe(order[1]?.[0]);
});
