import { defineCommand } from '../command.ts';
import { output } from '../options/lab.ts';

export const labFaultList = defineCommand({
  path: 'lab fault list',
  summary: 'Show which machines have which faults',
  options: {
    name: { type: 'text', value: 'lab', summary: 'only this lab' },
    output,
  },
  examples: [{ command: 'kubexm lab fault list', does: 'What was broken on purpose?' }],
  async run({ options, console }) {
    const { labStatus } = await import('../../lab/status.ts');
    const machines = (await labStatus(options.name))
      .flatMap((lab) => lab.machines)
      .filter(({ faults }) => faults.length > 0);
    if (options.output === 'json') console.json(machines.map(({ lab, name, faults }) => ({ lab, name, faults })));
    else if (machines.length === 0) console.note('No machine has a fault.');
    else
      await console.table(
        ['LAB', 'MACHINE', 'FAULTS'],
        machines.map(({ lab, name, faults }) => [lab, name, faults.join(', ')]),
      );
  },
});
