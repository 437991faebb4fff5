import { expect, it } from 'vitest';
import { STILL_RUNS } from '../../../../src/connector/orphaned-scripts.ts';
import { awaitEarlier } from '../../../../src/runtime/run/await-earlier-run.ts';

/** A host where something runs for so many looks. */
const busy = (looks: number) => ({
  host: 'node1',
  look: async () => ({ exit: looks-- > 0 ? STILL_RUNS : 0, stdout: '4711\n', stderr: '' }),
});
const { signal } = new AbortController();

it('says once in a while what it waits for, and nothing where there is nothing to wait for', async () => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await awaitEarlier(busy(0), 'x', { signal, say });
  expect(said).toEqual([]);
  await awaitEarlier(busy(5), 'x', { signal, say });
  expect(said).toEqual(['waiting for what an earlier run began here, process 4711']);
});

it('names what does not end', async () => {
  const waiting = awaitEarlier(busy(Infinity), 'x', { signal, say: () => {}, limitMs: 0 });
  await expect(waiting).rejects.toMatchObject({
    code: 'EARLIER_STILL_RUNS',
    report: { hint: expect.stringContaining('4711') },
  });
});
