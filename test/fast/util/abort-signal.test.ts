import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { signalWithTimeout } from '../../../src/util/abort-signal.ts';

it('aborts after its timeout even if the garbage collector ran before', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const signal = signalWithTimeout([new AbortController().signal], 50);
  const aborted = once(signal, 'abort');
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  await aborted;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('aborts with the first of its signals', () => {
  const stop = new AbortController();
  const signal = signalWithTimeout([stop.signal], 60_000);
  stop.abort(new Error('stopped'));
  expect(signal.reason).toMatchObject({ message: 'stopped' });
});
