import { awaitMachines } from '../machine/wait.ts';
import { cut } from './cut.ts';
import { delay } from './delay.ts';
import { dpkgLock } from './dpkg-lock.ts';
import { clock } from './clock.ts';
import { fullDisk } from './full-disk.ts';
import { kill } from './kill.ts';
import { loss } from './loss.ts';
import { pause } from './pause.ts';
import { reboot } from './reboot.ts';
import { reset } from './reset.ts';
import { slowDisk } from './slow-disk.ts';
import { machineState, scriptOn, tryOnMachine, type Machine, type MachineState } from '../machine/machine.ts';
import { labPaths } from '../paths.ts';
import { podman } from '../podman.ts';

/** All faults that can be injected into a machine. */
export const faults = Object.freeze({
  cut,
  reset,
  delay,
  loss,
  pause,
  kill,
  reboot,
  fullDisk,
  slowDisk,
  dpkgLock,
  clock,
});

/** The active faults of a machine, each as a short description: "loss 30%". */
export async function activeFaults(machine: Machine, known?: MachineState): Promise<readonly string[]> {
  const state = known ?? (await machineState(machine));
  if (state === 'paused') return [pause.name];
  if (state === 'stopped') return [kill.name];
  const probes = Object.values(faults).flatMap((fault) =>
    fault.probe === undefined ? [] : [`(${fault.probe}) 2>/dev/null || true`],
  );
  const { stdout } = await tryOnMachine(machine, ['sh'], { stdin: probes.join('\n') });
  return stdout.split('\n').filter(Boolean);
}

/** Clears all faults of a machine. */
export async function clearFaults(machine: Machine): Promise<void> {
  // The machine must run before scripts can clear the other faults.
  await pause.clear(machine);
  const wasStopped = (await machineState(machine)) === 'stopped';
  if (wasStopped) await podman(['start', machine.container]);
  await scriptOn(
    machine,
    Object.values(faults)
      .flatMap((fault) => fault.undo ?? [])
      .join(''),
  );
  if (wasStopped) await awaitMachines([machine], labPaths(machine.lab));
}
