import { onMachine, requireRunning, tryOnMachine, type Machine } from '../machine/machine.ts';
import { waitUntil, type ProbeResult } from '../machine/wait.ts';
import { defineFault } from './fault.ts';

export interface RebootOptions {
  /** Reboot without stopping services first. */
  readonly hard?: boolean;
}

/** Reboots a machine and resolves when it starts booting; use `awaitMachines` to wait until it is ready. */
export const reboot = defineFault<RebootOptions>({
  name: 'reboot',
  async apply(machine, { hard = false } = {}) {
    await requireRunning(machine);
    const before = await bootId(machine);
    await tryOnMachine(machine, ['systemctl', 'reboot', ...(hard ? ['--force', '--force'] : [])]);
    const wait = { machine: machine.name, lab: machine.lab, wanted: 'to boot again', seconds: 180 };
    await waitUntil(wait, () => probeNewBoot(machine, before));
  },
});

/** The kernel boot ID of a machine. */
export const bootId = async (machine: Machine) =>
  (await onMachine(machine, ['cat', '/proc/sys/kernel/random/boot_id'])).trim();

async function probeNewBoot(machine: Machine, before: string): Promise<ProbeResult<string>> {
  const { exit, stdout, stderr } = await tryOnMachine(machine, ['cat', '/run/kubexm-lab/boot_id']);
  return exit === 0 && stdout.trim() !== before
    ? { done: true, value: stdout.trim() }
    : { done: false, output: stderr || 'still the same boot ID' };
}
