import { expect, it } from 'vitest';
import { createAdaptiveLimiter } from '../../../src/util/adaptive-limiter.ts';

/** The limit after many transfers on a line that is fastest with `best` of them at once. */
async function limitAfterMany(best: number): Promise<number> {
  let clock = 0;
  const limiter = createAdaptiveLimiter({ first: 4, most: 32, now: () => clock });
  const transfer = async () => {
    await Promise.resolve();
    const total = limiter.limit <= best ? limiter.limit : best / (limiter.limit - best + 1);
    clock += 100 / total;
    return 100;
  };
  await Promise.all(Array.from({ length: 600 }, () => limiter.run(transfer)));
  return limiter.limit;
}

it.each([2, 8, 20])('finds that %d transfers at once are fastest', async (best) => {
  expect(Math.abs((await limitAfterMany(best)) - best)).toBeLessThanOrEqual(2);
});

it('never exceeds its limit, and continues after a failure', async () => {
  const limiter = createAdaptiveLimiter({ first: 1, most: 1 });
  const order: string[] = [];
  const failing = limiter.run(async () => {
    order.push('first');
    await Promise.resolve();
    throw new Error('broken');
  });
  const next = limiter.run(() => Promise.resolve(order.push('second')));
  await expect(failing).rejects.toThrow('broken');
  await next;
  expect(order).toEqual(['first', 'second']);
});

it('measures the total throughput without idle time', async () => {
  let clock = 0;
  const limiter = createAdaptiveLimiter({ now: () => clock });
  expect(limiter.rate).toBeUndefined();
  const transfer = async () => {
    await Promise.resolve();
    clock += 500;
    return 1000;
  };
  await Promise.all([limiter.run(transfer), limiter.run(transfer)]);
  clock += 60_000;
  await limiter.run(transfer);
  expect(limiter.rate).toBe(2000);
});
