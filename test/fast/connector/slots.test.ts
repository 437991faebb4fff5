import { expect, it } from 'vitest';
import { slots } from '../../../src/connector/slots.ts';

it('lets through so many at a time, and fewer when the host says so', async () => {
  const places = slots(2);
  await places.take();
  await places.take();
  let third = false;
  const waiting = places.take().then(() => (third = true));
  expect(places.shrink()).toBe(true);
  places.free();
  await Promise.resolve();
  expect(third).toBe(false);
  places.free();
  await waiting;
  expect(places.shrink()).toBe(false);
  places.free();
  await places.idle();
});

it('gives the place of one who left to the next', async () => {
  const places = slots(1);
  await places.take();
  const leaving = new AbortController();
  const left = places.take(leaving.signal);
  const next = places.take();
  leaving.abort(new Error('no more'));
  await expect(left).rejects.toThrow('no more');
  places.free();
  await next;
});
