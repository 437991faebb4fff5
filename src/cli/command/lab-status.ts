import { defineCommand } from '../command.ts';
import { output } from '../options/lab.ts';

export const labStatus = defineCommand({
  path: 'lab status',
  summary: 'Show labs and how their machines are',
  options: {
    name: { type: 'text', value: 'lab', summary: 'only this lab' },
    output,
  },
  examples: [
    { command: 'kubexm lab status', does: 'All labs on this computer' },
    { command: 'kubexm lab status --name ha -o json', does: 'One lab, for a script' },
  ],
  async run({ options, console }) {
    const [{ labStatus: look }, { printStatus }] = await Promise.all([
      import('../../lab/status.ts'),
      import('../format/lab-status.ts'),
    ]);
    const labs = await look(options.name);
    if (options.output === 'json') console.json(labs);
    else if (labs.length === 0) console.note('There are no labs. Make one: kubexm lab up --machines 3');
    else await printStatus(labs, console);
  },
});
