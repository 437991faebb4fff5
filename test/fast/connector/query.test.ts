import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { localConnector } from '../../../src/connector/local.ts';
import { parseResults, batchScript } from '../../../src/connector/query.ts';
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

it('splits the output of a batch into results', () => {
  const marker = newMarker();
  const stdout = sh(
    batchScript(['printf one', 'echo two; exit 3', ': nothing'], marker).replaceAll('>&2', '>/dev/null'),
  );
  const stderr = Buffer.from(`a${marker}\n${marker}\nc\n${marker}\n`);
  expect(parseResults(stdout, stderr, marker)).toEqual([
    { exit: 0, stdout: 'one', stderr: 'a' },
    { exit: 3, stdout: 'two\n', stderr: '' },
    { exit: 0, stdout: '', stderr: 'c\n' },
  ]);
});

it('leaves out incomplete results', () => {
  const marker = newMarker();
  expect(parseResults(Buffer.from(`one${marker} 0\ntwo`), Buffer.from(`${marker}\n`), marker)).toHaveLength(1);
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
