import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labName, machineNames } from '../options/lab.ts';

export const labFaultClear = defineCommand({
  path: 'lab fault clear',
  summary: 'Take every fault off a machine, or off all',
  args: [
    { name: 'machine', complete: machineNames, summary: 'node1, node2 …; all of the lab without it', optional: true },
  ],
  options: { name: labName, dryRun },
  examples: [
    { command: 'kubexm lab fault clear node2', does: 'Make node2 well again' },
    { command: 'kubexm lab fault clear --name ha', does: 'Make all machines of a lab well again' },
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
        machines.map(({ name }) => `take every fault off ${name}`),
      );
    console.progress({ task: 'Clearing faults', detail: machines.map((one) => one.name).join(' ') });
    await Promise.all(machines.map(clearFaults));
    console.note(`No faults on ${machines.map(({ name }) => name).join(', ')} of the lab ${options.name}.`);
  },
});
