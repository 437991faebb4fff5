import { onMachine, requireRunning, tryOnMachine, type Machine } from '../machine/machine.ts';
import { waitUntil, type Answer } from '../machine/wait.ts';
import { defineFault } from './fault.ts';

/** How a machine is rebooted. */
export interface RebootOptions {
  /** Without letting its programs end. */
  readonly hard?: boolean;
}

/** Reboots a machine and resolves when the new boot began; wait with `awaitMachines` until it answers. */
export const reboot = defineFault<RebootOptions>({
  name: 'reboot',
  summary: 'Reboot the machine',
  async apply(machine, { hard = false } = {}) {
    await requireRunning(machine);
    const before = await bootId(machine);
    await tryOnMachine(machine, ['systemctl', 'reboot', ...(hard ? ['--force', '--force'] : [])]);
    const wait = { machine: machine.name, lab: machine.lab, wanted: 'to boot again', seconds: 180 };
    await waitUntil(wait, () => otherBoot(machine, before));
  },
});

/** The id of the boot that a machine is in. */
export const bootId = async (machine: Machine) =>
  (await onMachine(machine, ['cat', '/proc/sys/kernel/random/boot_id'])).trim();

async function otherBoot(machine: Machine, before: string): Promise<Answer<string>> {
  const { exit, stdout, stderr } = await tryOnMachine(machine, ['cat', '/run/kubexm-lab/boot_id']);
  return exit === 0 && stdout.trim() !== before
    ? { done: true, value: stdout.trim() }
    : { done: false, heard: stderr || 'not yet' };
}
