import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labName, machineNames } from '../options/lab.ts';

export const labFaultClear = defineCommand({
  path: 'lab fault clear',
  summary: 'Clear all faults on one machine or on all machines',
  args: [
    {
      name: 'MACHINE',
      complete: machineNames,
      summary: 'machine name, such as node1 (default: all machines of the lab)',
      optional: true,
    },
  ],
  options: { name: labName, dryRun },
  examples: [
    { command: 'kubexm lab fault clear node2', does: 'Clear the faults on node2' },
    { command: 'kubexm lab fault clear --name ha', does: 'Clear the faults on all machines of a lab' },
  ],
  async run({ args, options, console }) {
    const [{ clearFaults }, { findMachine, findMachines }] = await Promise.all([
      import('../../lab/fault/faults.ts'),
      import('../../lab/machine/find-machines.ts'),
    ]);
    const named = args[0] ?? 'node1';
    const machine = await findMachine(options.name, named);
    const machines = args.length > 0 ? [machine] : await findMachines(options.name);
    if (options.dryRun)
      return printDryRun(
        console,
        machines.map(({ name }) => `clear all faults on ${name}`),
      );
    console.progress({ task: 'Clearing faults', detail: machines.map(({ name }) => name).join(' ') });
    await Promise.all(machines.map(clearFaults));
    console.note(`Cleared all faults on ${machines.map(({ name }) => name).join(', ')} in lab ${options.name}.`);
  },
});
