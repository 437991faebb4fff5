import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import type { LabPaths } from '../paths.ts';
import { tryRun } from '../run.ts';
import type { Machine } from './machine.ts';
import { sshArgv } from './ssh-config.ts';

/** Waits until systemd is up on every machine, as reported over SSH. */
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
        wanted: 'to report over SSH that systemd is running',
        seconds: 180,
        signal,
      };
      await waitUntil(wait, () => probeSystemd(machine, paths, signal));
      report({
        task: 'Waiting for the machines to become ready',
        done: ++done,
        total: machines.length,
        detail: machine.name,
      });
    }),
  );
}

/** Asks systemd over SSH whether it is up. A failed unit ("degraded") does not count as down. */
async function probeSystemd(machine: Machine, paths: LabPaths, signal?: AbortSignal): Promise<ProbeResult<string>> {
  const [program, ...args] = sshArgv(paths, machine.name, ['systemctl', 'is-system-running', '--wait']);
  const { stdout, stderr } = await tryRun([program, '-o', 'BatchMode=yes', ...args], signal ? { signal } : {});
  const state = stdout.trimEnd().split('\n').at(-1) ?? '';
  return ['running', 'degraded'].includes(state)
    ? { done: true, value: state }
    : { done: false, output: stderr || state };
}

/** A probe either succeeds with a value, or returns the output to show if the wait times out. */
export type ProbeResult<T> =
  { readonly done: true; readonly value: T } | { readonly done: false; readonly output: string };

/** What to wait for, and how long. */
export interface Wait {
  readonly machine: string;
  readonly lab: string;
  /** Completes "Timed out after 180 s waiting for node1 …": "to answer over SSH". */
  readonly wanted: string;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Repeats the probe at growing intervals until it succeeds. */
export async function waitUntil<T>(wait: Wait, probe: () => Promise<ProbeResult<T>>): Promise<T> {
  const deadline = Date.now() + wait.seconds * 1000;
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 2000)) {
    const result = await probe();
    if (result.done) return result.value;
    if (wait.signal?.aborted) throw fail('INTERRUPTED', {});
    if (Date.now() > deadline) {
      const { machine, lab, wanted, seconds } = wait;
      throw fail('LAB_NOT_READY', { machine, lab, wanted, seconds, last: result.output.trim() || 'none' });
    }
    await sleep(pause);
  }
}
