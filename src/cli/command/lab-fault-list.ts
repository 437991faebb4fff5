import { defineCommand } from '../command.ts';
import { onlyLab } from '../options/lab.ts';
import { textOrJson } from '../options/output.ts';

export const labFaultList = defineCommand({
  path: 'lab fault list',
  summary: 'List machines with active faults',
  options: { name: onlyLab, output: textOrJson },
  examples: [{ command: 'kubexm lab fault list', does: 'List all active faults' }],
  async run({ options, console }) {
    const { labStatus } = await import('../../lab/status.ts');
    const machines = (await labStatus(options.name))
      .flatMap((lab) => lab.machines)
      .filter(({ faults }) => faults.length > 0);
    if (options.output === 'json') console.json(machines.map(({ lab, name, faults }) => ({ lab, name, faults })));
    else if (machines.length === 0) console.note('There are no active faults.');
    else
      await console.table(
        ['LAB', 'MACHINE', 'FAULTS'],
        machines.map(({ lab, name, faults }) => [lab, name, faults.join(', ')]),
      );
  },
});
