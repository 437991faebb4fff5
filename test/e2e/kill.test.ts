import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames } from '../lab/support.ts';
import type { KillPoint } from './support/kill-at.ts';
import { killRuns } from './support/kill-runs.ts';
import { killUndoing } from './support/kill-during-rollback.ts';
import { proofProgram } from './support/proof-program.ts';

const named = await labNames();
const names = [named('kill-a'), named('kill-b')];
const program = proofProgram();
// Two at once: most of the time of a run goes by waiting.
let labs: readonly Lab[];
beforeAll(async () => {
  labs = await Promise.all(names.map((name) => labUp({ name, machines: 3 })));
});

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b);

/** A run that was cut off goes on from here. */
const FROM = Number(process.env['KUBEXM_KILL_FROM'] ?? 1);

/** After every record, and now and then before one. */
const points = (records: number) =>
  Array.from({ length: records - FROM + 1 }, (_, at) => FROM + at).flatMap((record): KillPoint[] => [
    { record, when: 'saved' },
    ...(record % BEFORE_EVERY === 1 ? [{ record, when: 'before' as const }] : []),
  ]);
const BEFORE_EVERY = 8;

it('30 steps on 3 machines, killed with -9 after every record, come to the same end and repeat no effect', async () => {
  const start = performance.now();
  const share = (at: number) => (records: number) => points(records).filter((_, each) => each % labs.length === at);
  const kills = sum(await Promise.all(labs.map((lab, at) => killRuns({ lab, program, points: share(at) }))));
  console.log(`${kills} kill points from record ${FROM} on in ${Math.round((performance.now() - start) / 1000)} s`);
  expect(kills).toBeGreaterThan(200 - FROM);
}, 7_200_000);

it('killed with -9 while it undoes 30 steps on 3 machines, a run goes on to the end, or back to the start', async () => {
  const start = performance.now();
  const shares = (at: number) => Array.from({ length: 6 }, (_, each) => (2 * each + at) / 12);
  const kills = sum(await Promise.all(labs.map((lab, at) => killUndoing({ lab, program, shares: shares(at) }))));
  console.log(`${kills} kill points while undoing in ${Math.round((performance.now() - start) / 1000)} s`);
  expect(kills).toBe(12);
}, 7_200_000);
