import { defineCommand } from '../command.ts';
import { onlyLab } from '../options/lab.ts';
import { textOrJson } from '../options/output.ts';

export const labStatus = defineCommand({
  path: 'lab status',
  summary: 'Show labs and the state of their machines',
  options: { name: onlyLab, output: textOrJson },
  examples: [
    { command: 'kubexm lab status', does: 'Show all labs on this computer' },
    { command: 'kubexm lab status --name ha -o json', does: 'Print one lab as JSON' },
  ],
  async run({ options, console }) {
    const [{ labStatus: readStatus }, { printLabStatus }] = await Promise.all([
      import('../../lab/status.ts'),
      import('../format/lab-status.ts'),
    ]);
    const labs = await readStatus(options.name);
    if (options.output === 'json') console.json(labs);
    else if (labs.length === 0) console.note('There are no labs. Create one: kubexm lab up --machines 3');
    else await printLabStatus(labs, console);
  },
});
