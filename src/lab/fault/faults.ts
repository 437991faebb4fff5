import { awaitMachines } from '../machine/await-machines.ts';
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

/** Everything that can be made to go wrong with a machine. */
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

/** The faults that a machine has now, each as a few words: "loss 30%". */
export async function activeFaults(machine: Machine, known?: MachineState): Promise<readonly string[]> {
  const state = known ?? (await machineState(machine));
  if (state === 'paused') return [pause.name];
  if (state === 'stopped') return [kill.name];
  const looks = Object.values(faults).flatMap((fault) =>
    fault.look === undefined ? [] : [`(${fault.look}) 2>/dev/null || true`],
  );
  const { stdout } = await tryOnMachine(machine, ['sh'], { stdin: looks.join('\n') });
  return stdout.split('\n').filter(Boolean);
}

/** Takes every fault off a machine. */
export async function clearFaults(machine: Machine): Promise<void> {
  // First those that stop the machine: nothing can be done inside while it does not run.
  await pause.clear(machine);
  const off = (await machineState(machine)) === 'stopped';
  if (off) await podman(['start', machine.container]);
  await scriptOn(
    machine,
    Object.values(faults)
      .flatMap((fault) => fault.undo ?? [])
      .join(''),
  );
  if (off) await awaitMachines([machine], labPaths(machine.lab));
}
