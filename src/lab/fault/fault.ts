import { machineState, scriptOn, type Machine } from '../machine/machine.ts';

/** Something that goes wrong with a machine. Both acts can be repeated, and need no memory of each other. */
export interface Fault<O extends object = object> {
  /** As `lab fault` and `lab status` call it. */
  readonly name: string;
  readonly summary: string;
  /** A shell line, for inside the machine, that prints a few words when the fault is on. */
  readonly look?: string;
  /** A shell script, for inside the machine, that takes the fault off. */
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
