import { fail } from '../../common/errors/errors.ts';
import type { ProgramOptions, ProgramResult } from '../../connector/program.ts';
import { podman, tryPodman } from '../podman.ts';

/** One machine of a lab. */
export interface Machine {
  /** Its host name: node1. */
  readonly name: string;
  readonly lab: string;
  readonly container: string;
  readonly address: string;
  /** Where sshd listens. */
  readonly port: number;
}

/** Whether a machine runs, as podman sees it. */
export type MachineState = 'running' | 'paused' | 'stopped';

/** Runs a program as root inside a machine, past SSH, and resolves with what it printed. */
export const onMachine = (machine: Machine, argv: readonly string[], options: ProgramOptions = {}): Promise<string> =>
  podman(['exec', '--interactive', machine.container, ...argv], options);

/** Runs a program inside a machine where a failure is an answer, too. */
export const tryOnMachine = (
  machine: Machine,
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> => tryPodman(['exec', '--interactive', machine.container, ...argv], options);

/** Runs a shell script inside a machine, and stops at its first error. */
export const scriptOn = (machine: Machine, script: string): Promise<string> =>
  onMachine(machine, ['sh', '-eu'], { stdin: script });

export async function machineState(machine: Machine): Promise<MachineState> {
  return stateOf((await podman(['inspect', '--format', '{{.State.Status}}', machine.container])).trim());
}

/** Inside a machine that does not run nothing can be done: says so, and how to go on. */
export async function requireRunning(machine: Machine): Promise<void> {
  const state = await machineState(machine);
  if (state !== 'running') throw fail('LAB_MACHINE_DOWN', { machine: machine.name, lab: machine.lab, state });
}

export const stateOf = (status: string): MachineState =>
  status === 'running' || status === 'paused' ? status : 'stopped';
