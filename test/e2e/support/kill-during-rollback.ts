import { expect } from 'vitest';
import { onMachine } from '../../../src/lab/machine/machine.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { snapshot } from '../../lab/support/snapshot.ts';
import { restore } from './kill-runs.ts';
import { recordsOf, type ProofProgram } from './proof-program.ts';

/** The runs to kill during rollback. */
export interface RollbackKillOptions {
  readonly lab: Lab;
  readonly program: ProofProgram;
  readonly steps?: readonly number[];
  /** Progress of the rollback at each kill, from 0 to 1. */
  readonly shares: readonly number[];
}

/** Kills runs during rollback. Each run is resumed, fails again and restores the machines, and succeeds when resumed once more. */
export async function killDuringRollback({ lab, program, steps, shares }: RollbackKillOptions): Promise<number> {
  const run = { ...(steps && { steps }), mayFail: true, workdir: program.newWorkdir() };
  await restore(lab);
  await makeFail(lab);
  expect(await program.run(lab, run)).toMatchObject({ exit: 12 });
  const numbers = recordsOf(run.workdir, lab.name).flatMap(({ type }, at) => (type.startsWith('undo') ? [at + 1] : []));
  expect(numbers.length).toBeGreaterThan(8);
  for (const [index, share] of shares.entries()) {
    const kill = {
      record: numbers[Math.floor(numbers.length * share)]!,
      when: index % 2 === 0 ? ('saved' as const) : ('before' as const),
    };
    const workdir = program.newWorkdir();
    await restore(lab);
    const before = await snapshots(lab);
    await makeFail(lab);
    const killed = await program.run(lab, { ...run, workdir, kill });
    expect(killed.exit, killed.stderr).toBe('SIGKILL');
    expect(await program.run(lab, { ...run, workdir, flags: ['--resume'] })).toMatchObject({ exit: 12 });
    expect(await snapshots(lab), `killed at record ${kill.record} (${kill.when})`).toEqual(before);
    await stopFailing(lab);
    expect(await program.run(lab, { ...run, workdir, flags: ['--resume'] })).toMatchObject({ exit: 0 });
  }
  return shares.length;
}

/** Makes the last step of a run fail on the second machine. */
export const makeFail = ({ machines }: Lab) => onMachine(machines[1]!, ['touch', '/run/kx-fail']);

export const stopFailing = ({ machines }: Lab) => onMachine(machines[1]!, ['rm', '/run/kx-fail']);

const snapshots = ({ machines }: Lab) => Promise.all(machines.map(snapshot));
