import { labPaths } from '../paths.ts';
import { machineState } from '../machine/machine.ts';
import { podman } from '../podman.ts';
import { awaitMachines } from '../machine/await-machines.ts';
import { defineFault } from './fault.ts';

/** Ends a machine at once, as a lost power supply does. Clearing boots it again. */
export const kill = defineFault({
  name: 'kill',
  summary: 'Switch the machine off without a warning; clearing boots it again',
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
