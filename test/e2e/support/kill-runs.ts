import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Lab } from '../../../src/lab/up.ts';
import { restoreMachine, stateOf, watchMachine, type MachineState } from './proof-machine.ts';
import { recordsOf, type proofProgram, type ProofRun } from './proof-program.ts';

/** Where to kill runs. */
export interface KillOptions {
  readonly lab: Lab;
  readonly program: ReturnType<typeof proofProgram>;
  readonly steps?: readonly number[];
  /** Every so many records. */
  readonly every?: number;
}

/** Kills a run with -9 at its records, goes on each time, and expects the end of an unbroken run; resolves with how often. */
export async function killEverywhere(options: KillOptions): Promise<number> {
  const { lab, program, steps, every = 1 } = options;
  const plan: Omit<ProofRun, 'file' | 'workdir'> = { ...(steps && { steps }) };
  await Promise.all(lab.machines.map(watchMachine));
  await restore(lab);
  const whole = program.newWorkdir();
  expect(await program.run(lab, { ...plan, workdir: whole })).toMatchObject({ exit: 0, stderr: '' });
  const records = recordsOf(whole, lab.name).length;
  const wanted = await statesOf(lab);
  let kills = 0;
  for (let record = 1; record <= records; record += every) {
    for (const when of ['saved', 'before'] as const) {
      const workdir = program.newWorkdir();
      const at = `killed ${when === 'saved' ? 'after' : 'before'} record ${record}`;
      await restore(lab);
      const killed = await program.run(lab, { ...plan, workdir, kill: { record, when } });
      expect(killed.exit, `${at}: ${killed.stderr}`).toBe('SIGKILL');
      expect(await program.run(lab, { ...plan, workdir, resume: true }), at).toMatchObject({ exit: 0, stderr: '' });
      const states = await statesOf(lab);
      for (const [index, machine] of lab.machines.entries())
        expect(states[index], `${at}: ${machine.name}`).toEqual(wanted[index]);
      rmSync(workdir, { recursive: true });
      kills += 1;
    }
  }
  return kills;
}

/** Makes all machines what they were. */
export const restore = ({ machines }: Lab) => Promise.all(machines.map(restoreMachine));

export const statesOf = ({ machines }: Lab): Promise<readonly MachineState[]> => Promise.all(machines.map(stateOf));
