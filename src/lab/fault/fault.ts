import { machineState, scriptOn, type Machine } from '../machine/machine.ts';

/** A fault to inject into a machine. `apply` and `clear` are idempotent and independent of each other. */
export interface Fault<O extends object = object> {
  /** The name in `lab fault` and `lab status`. */
  readonly name: string;
  /** A shell command that runs inside the machine and prints a short description if the fault is active. */
  readonly probe?: string;
  /** A shell script that runs inside the machine and clears the fault. */
  readonly undo?: string;
  apply(machine: Machine, options?: O): Promise<void>;
  clear(machine: Machine): Promise<void>;
}

export const defineFault = <O extends object>(spec: FaultSpec<O>): Fault<O> =>
  Object.freeze({
    clear: async (machine: Machine) => {
      if (spec.undo !== undefined && (await machineState(machine)) === 'running') await scriptOn(machine, spec.undo);
    },
    ...spec,
  });

type FaultSpec<O extends object> = Omit<Fault<O>, 'clear'> & Partial<Pick<Fault<O>, 'clear'>>;
