import type { ReportProgress } from '../../common/progress.ts';
import type { Machine } from './machine.ts';
import type { LabPaths } from '../paths.ts';
import { tryRun } from '../run.ts';
import { sshArgv } from './ssh-config.ts';
import { waitUntil, type Answer } from './wait.ts';

/** Waits until each machine says over SSH that its systemd is up. */
export async function awaitMachines(
  machines: readonly Machine[],
  paths: LabPaths,
  report: ReportProgress = () => {},
  signal?: AbortSignal,
): Promise<void> {
  let done = 0;
  await Promise.all(
    machines.map(async (machine) => {
      const wait = {
        machine: machine.name,
        lab: machine.lab,
        wanted: 'to say over SSH that systemd runs',
        seconds: 180,
        signal,
      };
      await waitUntil(wait, () => answers(machine, paths, signal));
      report({
        task: 'Waiting for the machines to answer',
        done: ++done,
        total: machines.length,
        detail: machine.name,
      });
    }),
  );
}

/** Asks a machine over SSH whether its systemd is up. A unit that failed is the machine's own matter. */
export async function answers(machine: Machine, paths: LabPaths, signal?: AbortSignal): Promise<Answer<string>> {
  const [program, ...args] = sshArgv(paths, machine.name, ['systemctl', 'is-system-running', '--wait']);
  const { stdout, stderr } = await tryRun([program, '-o', 'BatchMode=yes', ...args], signal ? { signal } : {});
  const state = stdout.trimEnd().split('\n').at(-1) ?? '';
  return ['running', 'degraded'].includes(state)
    ? { done: true, value: state }
    : { done: false, heard: stderr || state };
}
