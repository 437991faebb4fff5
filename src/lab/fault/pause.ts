import { machineState } from '../machine/machine.ts';
import { podman } from '../podman.ts';
import { defineFault } from './fault.ts';

/** Freezes a machine: connections stay open, but nothing responds. */
export const pause = defineFault({
  name: 'pause',
  async apply(machine) {
    if ((await machineState(machine)) === 'running') await podman(['pause', machine.container]);
  },
  async clear(machine) {
    if ((await machineState(machine)) === 'paused') await podman(['unpause', machine.container]);
  },
});
