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

/** A replaced file, a removed tree, an upload, a user, a slow command and a step with two parts. */
const STEPS = [2, 8, 12, 22, 27, 30];

// test/e2e/kill.test.ts kills at every record of every step.
it('resumes after SIGKILL to the same final state without repeating an effect', async () => {
  const kills = await killRuns({
    lab,
    program,
    steps: STEPS,
    points: (records) =>
      Array.from({ length: records }, (_, index) => index + 1)
        .filter((record) => record % 2 === 1)
        .map((record) => ({ record, when: record % 4 === 1 ? 'before' : 'saved' })),
  });
  expect(kills).toBeGreaterThan(10);
}, 600_000);
