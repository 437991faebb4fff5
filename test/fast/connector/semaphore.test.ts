import { expect, it } from 'vitest';
import { createSemaphore } from '../../../src/connector/semaphore.ts';

it('admits up to its limit, and fewer after the limit is lowered', async () => {
  const semaphore = createSemaphore(2);
  await semaphore.acquire();
  await semaphore.acquire();
  let third = false;
  const waiting = semaphore.acquire().then(() => (third = true));
  expect(semaphore.lowerLimit()).toBe(true);
  semaphore.release();
  await Promise.resolve();
  expect(third).toBe(false);
  semaphore.release();
  await waiting;
  expect(semaphore.lowerLimit()).toBe(false);
  semaphore.release();
  await semaphore.idle();
});

it('gives the turn of an aborted caller to the next one', async () => {
  const semaphore = createSemaphore(1);
  await semaphore.acquire();
  const controller = new AbortController();
  const aborted = semaphore.acquire(controller.signal);
  const next = semaphore.acquire();
  controller.abort(new Error('no more'));
  await expect(aborted).rejects.toThrow('no more');
  semaphore.release();
  await next;
});
