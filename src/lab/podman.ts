import type { ProgramOptions, ProgramResult } from '../connector/program.ts';
import { run, tryRun } from './run.ts';

/** Runs podman and resolves with what it printed; a non-zero exit is an error. */
export const podman = (args: readonly string[], options: ProgramOptions = {}): Promise<string> =>
  run(podmanArgv(args), options);

/** Runs podman where a failure is an answer, too. */
export const tryPodman = (args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> =>
  tryRun(podmanArgv(args), options);

/** The label that everything of a lab carries. */
export const LAB_LABEL = 'kubexm.lab';

// crun refuses hybrid cgroups, and a systemd inside wants a cgroup that the systemd outside does not manage.
export const podmanArgv = (args: readonly string[]) => [
  'podman',
  '--cgroup-manager',
  'cgroupfs',
  '--runtime',
  'runc',
  ...args,
];
