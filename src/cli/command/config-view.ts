import { defineCommand } from '../command.ts';

export const viewConfig = defineCommand({
  path: 'config view',
  summary: 'Show ~/.kubexm/config',
  options: {
    output: { type: 'choice', short: 'o', choices: ['yaml', 'json'], default: 'yaml', summary: 'how to print it' },
  },
  examples: [{ command: 'kubexm config view', does: 'What does kubexm remember of my clusters?' }],
  async run({ options, console }) {
    const { readContexts, writtenContexts } = await import('../../state/contexts.ts');
    const contexts = await readContexts();
    if (options.output === 'json') console.json(contexts);
    else console.print(writtenContexts(contexts).trimEnd());
  },
});
