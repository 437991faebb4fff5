import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { localConnector } from '../../../src/connector/local.ts';
import { readFrames } from '../../../src/connector/framed-output.ts';
import { batchScript, resultsIn } from '../../../src/connector/query.ts';
import { newMarker } from '../../../src/connector/framing.ts';
import { quote } from '../../../src/connector/quote.ts';

const sh = (script: string) => execFileSync('/bin/sh', ['-c', `exec 2>&1; ${script}`]);

it('quotes any text for a POSIX shell', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('\0'));
      expect(sh(`printf %s ${quote(text)}`).toString()).toBe(text);
    }),
    { numRuns: 50 },
  );
});

const LIMITS = { frames: 3, bytes: 1000 };
const read = (chunks: readonly string[], marker: string) =>
  readFrames(Readable.from(chunks.map((text) => Buffer.from(text))), marker, LIMITS, () => {});

it('splits the output of a batch into results', async () => {
  const marker = newMarker();
  const script = batchScript(['printf one', 'echo two; exit 3', ': nothing'], marker);
  const output = sh(script.replaceAll('>&2', '>/dev/null')).toString();
  const stdout = await read(output.split(''), marker);
  const stderr = await read([`a${marker}\n${marker}\nc\n`, `${marker}\n`], marker);
  expect(resultsIn(stdout, stderr)).toEqual([
    { exit: 0, stdout: 'one', stderr: 'a' },
    { exit: 3, stdout: 'two\n', stderr: '' },
    { exit: 0, stdout: '', stderr: 'c\n' },
  ]);
});

it('leaves out incomplete results', async () => {
  const marker = newMarker();
  const [stdout, stderr] = [await read([`one${marker} 0\ntwo`], marker), await read([`${marker}\n`], marker)];
  expect(resultsIn(stdout, stderr)).toHaveLength(1);
});

it('reads no more than the limit, and leaves no listener on the stream', async () => {
  const marker = newMarker();
  const endless = new PassThrough();
  const reading = readFrames(endless, marker, LIMITS, () => endless.destroy());
  endless.write('x'.repeat(1001));
  expect(await reading).toEqual({ sections: [], isTooLong: true });
  const open = new PassThrough();
  const before = open.eventNames().map((name) => open.listenerCount(name));
  const framed = readFrames(open, marker, LIMITS, () => {});
  open.write(`a${marker} 0\nb${marker} 0\nc${marker} 0\n`);
  expect((await framed).sections.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(open.eventNames().map((name) => open.listenerCount(name))).toEqual(before);
});

it('ends when its signal aborts, and leaves no listener on the signal', async () => {
  await using connector = localConnector();
  const { signal } = new AbortController();
  const queries = ['echo a', 'echo b', 'exit 3'].map((script) => connector.query(script, { root: false, signal }));
  expect((await Promise.all(queries)).map(({ exit }) => exit)).toEqual([0, 0, 3]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const controller = new AbortController();
  const endless = connector.query('sleep 600', { root: false, signal: controller.signal });
  controller.abort(new Error('time is up'));
  await expect(endless).rejects.toThrow('time is up');
});
