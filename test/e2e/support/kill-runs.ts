import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import type { KillPoint } from './kill-at.ts';
import { restoreMachine, stateOf, watchMachine, type MachineState } from './proof-machine.ts';
import { recordsOf, type ProofProgram } from './proof-program.ts';

/** The runs to kill, and the kill points. */
export interface KillOptions {
  readonly lab: Lab;
  readonly program: ProofProgram;
  readonly steps?: readonly number[];
  /** Returns the kill points of a run with this many records. */
  readonly points: (records: number) => readonly KillPoint[];
}

/** Kills and resumes runs, and expects the final state and effects of an uninterrupted run. Returns the number of kills. */
export async function killRuns({ lab, program, steps, points }: KillOptions): Promise<number> {
  const run = { ...(steps && { steps }), workdir: program.newWorkdir() };
  await Promise.all(lab.machines.map(watchMachine));
  await restore(lab);
  expect(await program.run(lab, run)).toMatchObject({ exit: 0 });
  const expected = await statesOf(lab);
  const chosen = points(recordsOf(run.workdir, lab.name).length);
  for (const kill of chosen) {
    const workdir = program.newWorkdir();
    const at = `killed at record ${kill.record} (${kill.when})`;
    await restore(lab);
    const killed = await program.run(lab, { ...run, workdir, kill });
    expect(killed.exit, `${at}: ${killed.stderr}`).toBe('SIGKILL');
    expect(await program.run(lab, { ...run, workdir, flags: ['--resume'] }), at).toMatchObject({ exit: 0 });
    const states = await statesOf(lab);
    for (const [index, { name }] of lab.machines.entries())
      expect(states[index], `${at}, ${name}`).toEqual(expected[index]);
    rmSync(workdir, { recursive: true });
  }
  return chosen.length;
}

/** Restores all machines to their original state. */
export const restore = ({ machines }: Lab) => Promise.all(machines.map(restoreMachine));

export const statesOf = ({ machines }: Lab): Promise<readonly MachineState[]> => Promise.all(machines.map(stateOf));
