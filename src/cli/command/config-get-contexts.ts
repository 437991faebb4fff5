import { defineCommand } from '../command.ts';

export const getContexts = defineCommand({
  path: 'config get-contexts',
  summary: 'List the clusters that commands can work on',
  options: {
    output: { type: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', summary: 'how to print them' },
  },
  examples: [
    { command: 'kubexm config get-contexts', does: 'Which clusters are known, and which one is current (*)?' },
  ],
  async run({ options, console }) {
    const { readContexts } = await import('../../state/contexts.ts');
    const { current, contexts } = await readContexts();
    if (options.output === 'json') return console.json({ current, contexts });
    if (contexts.length === 0)
      return console.note('No contexts yet. A lab or a cluster that you make adds one: kubexm lab up --machines 3');
    return console.table(
      ['CURRENT', 'NAME', 'FILE', 'WORKDIR'],
      contexts.map(({ name, file, workdir }) => [name === current ? '*' : ' ', name, file, workdir]),
    );
  },
});
