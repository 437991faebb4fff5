import type { ProgramOptions, ProgramResult } from '../connector/program.ts';
import { run, tryRun } from './run.ts';

/** Runs podman and resolves with its stdout; a non-zero exit code is an error. */
export const podman = (args: readonly string[], options: ProgramOptions = {}): Promise<string> =>
  run(podmanArgv(args), options);

/** Like `podman`, but resolves with the result even if the command fails. */
export const tryPodman = (args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> =>
  tryRun(podmanArgv(args), options);

/** The label on every podman object of a lab. */
export const LAB_LABEL = 'kubexm.lab';

// crun does not support hybrid cgroups, and systemd in a container needs a cgroup that the local systemd does not manage.
export const podmanArgv = (args: readonly string[]) => [
  'podman',
  '--cgroup-manager',
  'cgroupfs',
  '--runtime',
  'runc',
  ...args,
];
