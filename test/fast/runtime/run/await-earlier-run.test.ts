import { expect, it } from 'vitest';
import { STILL_RUNNING } from '../../../../src/connector/orphaned-scripts.ts';
import { awaitEarlierRun } from '../../../../src/runtime/run/await-earlier-run.ts';

/** A host where an earlier command is still running for the given number of queries. */
const busy = (queries: number) => ({
  host: 'node1',
  rootFolders: [],
  query: async () => ({ exit: queries-- > 0 ? STILL_RUNNING : 0, stdout: '4711\n', stderr: '' }),
});
const { signal } = new AbortController();

it('reports from time to time which process it waits for', async () => {
  const reported: string[] = [];
  const say = (line: string) => void reported.push(line);
  await awaitEarlierRun(busy(0), 'x', { signal, say });
  expect(reported).toEqual([]);
  await awaitEarlierRun(busy(5), 'x', { signal, say });
  expect(reported).toEqual(['waiting for process 4711, started by an earlier run']);
});

it('fails with the process ID if the process does not finish in time', async () => {
  const waiting = awaitEarlierRun(busy(Infinity), 'x', { signal, say: () => {}, limitMs: 0 });
  await expect(waiting).rejects.toMatchObject({
    code: 'EARLIER_STILL_RUNS',
    report: { hint: expect.stringContaining('4711') },
  });
});
