import { beforeAll, beforeEach, expect, it } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { restore, statesOf } from './support/kill-runs.ts';
import { killDuringRollback, makeFail, stopFailing } from './support/kill-during-rollback.ts';
import { watchMachine } from './support/proof-machine.ts';
import { proofProgram } from './support/proof-program.ts';
import { snapshot } from '../lab/support/snapshot.ts';
import { labNames } from '../lab/support.ts';

const named = await labNames();
const name = named('rollback');
const program = proofProgram();
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
  await Promise.all(lab.machines.map(watchMachine));
}, 900_000);
beforeEach(() => restore(lab));

const snapshots = () => Promise.all(lab.machines.map(snapshot));

it('a failure in the last step restores all machines', async () => {
  const before = await snapshots();
  await makeFail(lab);
  const workdir = program.newWorkdir();
  const { exit, stdout } = await program.run(lab, { workdir, mayFail: true, flags: ['-o', 'json'] });
  expect(exit).toBe(12);
  expect(await snapshots()).toEqual(before);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', notUndone: [] });

  await stopFailing(lab);
  expect(await program.run(lab, { workdir, mayFail: true, flags: ['--resume'] })).toMatchObject({ exit: 0 });
  const after = await statesOf(lab);
  await restore(lab);
  expect(await program.run(lab, { workdir: program.newWorkdir(), mayFail: true })).toMatchObject({ exit: 0 });
  expect((await statesOf(lab)).map(({ state }) => state)).toEqual(after.map(({ state }) => state));
}, 900_000);

it('without rollback, changes are kept and the run can be resumed', async () => {
  await makeFail(lab);
  const workdir = program.newWorkdir();
  const { exit, stdout } = await program.run(lab, { workdir, mayFail: true, flags: ['--no-rollback', '-o', 'json'] });
  expect(exit).toBe(12);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ outcome: 'failed', undone: [] });
  expect(result.notUndone).toContainEqual({ node: 'proof/all/proof.01@node1', reason: 'rollback is disabled' });
  const kept = await statesOf(lab);
  expect(kept[0]?.state).toContain('/etc/kx-old f 644 root:root ');

  await stopFailing(lab);
  expect(await program.run(lab, { workdir, mayFail: true, flags: ['--resume'] })).toMatchObject({ exit: 0 });
  expect((await statesOf(lab)).map(({ state, effects }) => ({ state, effects }))).toEqual(
    kept.map(({ state, effects }) => ({ state, effects })),
  );
}, 900_000);

it('a run killed during rollback completes the rollback on resume and can then succeed', async () => {
  const kills = await killDuringRollback({ lab, program, steps: [2, 8, 12, 17, 22, 30], shares: [0.1, 0.7] });
  expect(kills).toBe(2);
}, 900_000);
