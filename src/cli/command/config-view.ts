import { defineCommand } from '../command.ts';

export const viewConfig = defineCommand({
  path: 'config view',
  summary: 'Show ~/.kubexm/config',
  options: {
    output: { type: 'choice', short: 'o', choices: ['yaml', 'json'], default: 'yaml', summary: 'output format' },
  },
  examples: [{ command: 'kubexm config view', does: 'Show all contexts with their paths' }],
  async run({ options, console }) {
    const { readContexts, formatContexts } = await import('../../state/contexts.ts');
    const contexts = await readContexts();
    if (options.output === 'json') console.json(contexts);
    else console.print(formatContexts(contexts).trimEnd());
  },
});
