import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames } from '../lab/support.ts';
import type { KillPoint } from './support/kill-at.ts';
import { killRuns } from './support/kill-runs.ts';
import { killDuringRollback } from './support/kill-during-rollback.ts';
import { proofProgram } from './support/proof-program.ts';

const named = await labNames();
const names = [named('kill-a'), named('kill-b')];
const program = proofProgram();
// Two labs in parallel, because a run spends most of its time waiting.
let labs: readonly Lab[];
beforeAll(async () => {
  labs = await Promise.all(names.map((name) => labUp({ name, machines: 3 })));
});

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b);

/** The first record, to continue an interrupted test run. */
const FROM = Number(process.env['KUBEXM_KILL_FROM'] ?? 1);

/** After every record, and before every eighth. */
const points = (records: number) =>
  Array.from({ length: records - FROM + 1 }, (_, at) => FROM + at).flatMap((record): KillPoint[] => [
    { record, when: 'saved' },
    ...(record % BEFORE_EVERY === 1 ? [{ record, when: 'before' as const }] : []),
  ]);
const BEFORE_EVERY = 8;

it('a run of 30 steps on 3 machines, killed after every journal record, reaches the same state and repeats no effect', async () => {
  const start = performance.now();
  const share = (at: number) => (records: number) => points(records).filter((_, each) => each % labs.length === at);
  const kills = sum(await Promise.all(labs.map((lab, at) => killRuns({ lab, program, points: share(at) }))));
  console.log(`${kills} kill points from record ${FROM} on in ${Math.round((performance.now() - start) / 1000)} s`);
  expect(kills).toBeGreaterThan(200 - FROM);
}, 7_200_000);

it('a run killed while rolling back 30 steps on 3 machines completes the rollback on resume and can then succeed', async () => {
  const start = performance.now();
  const shares = (at: number) => Array.from({ length: 6 }, (_, each) => (2 * each + at) / 12);
  const kills = sum(await Promise.all(labs.map((lab, at) => killDuringRollback({ lab, program, shares: shares(at) }))));
  console.log(`${kills} kill points during rollback in ${Math.round((performance.now() - start) / 1000)} s`);
  expect(kills).toBe(12);
}, 7_200_000);
