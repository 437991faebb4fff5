import { expect, it } from 'vitest';
import { createGate } from '../../../src/util/adaptive-gate.ts';

/** A line of which each act gets its share, and on which more than `best` acts get in each other's way. */
async function afterMany(best: number): Promise<number> {
  let clock = 0;
  const gate = createGate({ first: 4, most: 32, now: () => clock });
  const act = async () => {
    await Promise.resolve();
    const total = gate.width <= best ? gate.width : best / (gate.width - best + 1);
    clock += 100 / total;
    return 100;
  };
  await Promise.all(Array.from({ length: 600 }, () => gate.run(act)));
  return gate.width;
}

it.each([2, 8, 20])('finds that %d at once bring the most through', async (best) => {
  expect(Math.abs((await afterMany(best)) - best)).toBeLessThanOrEqual(2);
});

it('lets no more in than its width, and the next one after a failure', async () => {
  const gate = createGate({ first: 1, most: 1 });
  const order: string[] = [];
  const failing = gate.run(async () => {
    order.push('first');
    await Promise.resolve();
    throw new Error('broken');
  });
  const next = gate.run(() => Promise.resolve(order.push('second')));
  await expect(failing).rejects.toThrow('broken');
  await next;
  expect(order).toEqual(['first', 'second']);
});

it('knows how fast all acts together are, idle time left out', async () => {
  let clock = 0;
  const gate = createGate({ now: () => clock });
  expect(gate.rate).toBeUndefined();
  const act = async () => {
    await Promise.resolve();
    clock += 500;
    return 1000;
  };
  await Promise.all([gate.run(act), gate.run(act)]);
  clock += 60_000;
  await gate.run(act);
  expect(gate.rate).toBe(2000);
});
