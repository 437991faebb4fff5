import { fail } from '../../common/errors/errors.ts';
import type { ProgramOptions, ProgramResult } from '../../connector/program.ts';
import { podman, tryPodman } from '../podman.ts';

/** One machine of a lab: a podman container that runs systemd and sshd. */
export interface Machine {
  /** Host name, such as node1. */
  readonly name: string;
  readonly lab: string;
  readonly container: string;
  readonly address: string;
  /** SSH port. */
  readonly port: number;
}

/** The container state as podman reports it. */
export type MachineState = 'running' | 'paused' | 'stopped';

/** Runs a program as root inside a machine with `podman exec`, not SSH, and resolves with its stdout. */
export const onMachine = (machine: Machine, argv: readonly string[], options: ProgramOptions = {}): Promise<string> =>
  podman(['exec', '--interactive', machine.container, ...argv], options);

/** Like `onMachine`, but resolves with the result even if the program fails. */
export const tryOnMachine = (
  machine: Machine,
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> => tryPodman(['exec', '--interactive', machine.container, ...argv], options);

/** Runs a shell script inside a machine; the script stops at the first error. */
export const scriptOn = (machine: Machine, script: string): Promise<string> =>
  onMachine(machine, ['sh', '-eu'], { stdin: script });

export async function machineState(machine: Machine): Promise<MachineState> {
  return stateOf((await podman(['inspect', '--format', '{{.State.Status}}', machine.container])).trim());
}

/** Fails with a hint unless the machine is running. */
export async function requireRunning(machine: Machine): Promise<void> {
  const state = await machineState(machine);
  if (state !== 'running') throw fail('LAB_MACHINE_DOWN', { machine: machine.name, lab: machine.lab, state });
}

export const stateOf = (status: string): MachineState =>
  status === 'running' || status === 'paused' ? status : 'stopped';
