import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { killRuns } from '../e2e/support/kill-runs.ts';
import { proofProgram } from '../e2e/support/proof-program.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('kill');
const program = proofProgram();
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
});

/** A file in the place of another, a tree that goes, an upload, a user, a slow command and one with two parts. */
const STEPS = [2, 8, 12, 22, 27, 30];

// All records of all steps are gone through in the long suite, test/e2e/kill.test.ts.
it('a run that is killed with -9 goes on to the same end and repeats no effect', async () => {
  const kills = await killRuns({
    lab,
    program,
    steps: STEPS,
    points: (records) =>
      Array.from({ length: records }, (_, at) => at + 1)
        .filter((record) => record % 2 === 1)
        .map((record) => ({ record, when: record % 4 === 1 ? 'before' : 'saved' })),
  });
  expect(kills).toBeGreaterThan(10);
}, 600_000);
