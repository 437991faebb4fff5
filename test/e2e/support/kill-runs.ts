import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import type { KillPoint } from './kill-at.ts';
import { restoreMachine, stateOf, watchMachine, type MachineState } from './proof-machine.ts';
import { recordsOf, type ProofProgram } from './proof-program.ts';

/** Which runs to kill, and where. */
export interface KillOptions {
  readonly lab: Lab;
  readonly program: ProofProgram;
  readonly steps?: readonly number[];
  /** Of a run with so many records. */
  readonly points: (records: number) => readonly KillPoint[];
}

/** Kills runs with -9, goes on each time, and expects the end and the effects of an unbroken run; resolves with how often. */
export async function killRuns({ lab, program, steps, points }: KillOptions): Promise<number> {
  const run = { ...(steps && { steps }), workdir: program.newWorkdir() };
  await Promise.all(lab.machines.map(watchMachine));
  await restore(lab);
  expect(await program.run(lab, run)).toMatchObject({ exit: 0 });
  const wanted = await statesOf(lab);
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
      expect(states[index], `${at}, ${name}`).toEqual(wanted[index]);
    rmSync(workdir, { recursive: true });
  }
  return chosen.length;
}

/** Makes all machines what they were. */
export const restore = ({ machines }: Lab) => Promise.all(machines.map(restoreMachine));

export const statesOf = ({ machines }: Lab): Promise<readonly MachineState[]> => Promise.all(machines.map(stateOf));
