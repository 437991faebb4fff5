import { labPaths } from '../paths.ts';
import { machineState } from '../machine/machine.ts';
import { podman } from '../podman.ts';
import { awaitMachines } from '../machine/wait.ts';
import { defineFault } from './fault.ts';

/** Kills a machine, like a power failure. Clearing the fault boots it again. */
export const kill = defineFault({
  name: 'kill',
  async apply(machine) {
    const state = await machineState(machine);
    if (state === 'paused') await podman(['unpause', machine.container]);
    if (state !== 'stopped') await podman(['kill', '--signal', 'KILL', machine.container]);
    await podman(['wait', machine.container]);
  },
  async clear(machine) {
    if ((await machineState(machine)) !== 'stopped') return;
    await podman(['start', machine.container]);
    await awaitMachines([machine], labPaths(machine.lab));
  },
});
