import { beforeAll, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { labNames } from '../lab/support.ts';
import { killEverywhere } from './support/kill-runs.ts';
import { proofProgram } from './support/proof-program.ts';

const named = await labNames();
const name = named('kill');
const program = proofProgram();
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
});

it('30 steps on 3 machines: killed with -9 at every record, a run goes on to the same end and repeats no effect', async () => {
  const start = performance.now();
  const kills = await killEverywhere({ lab, program });
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${kills} kill points in ${seconds} s`);
  expect(kills).toBeGreaterThan(300);
}, 3_600_000);
