import { defineCommand } from '../command.ts';
import { VERSION } from '../../common/version.ts';

export const version = defineCommand({
  path: 'version',
  summary: 'Print the version of kubexm',
  options: {
    output: { type: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', summary: 'how to print it' },
  },
  examples: [{ command: 'kubexm version', does: 'Which kubexm is this?' }],
  async run({ options, console }) {
    if (options.output === 'json') console.json({ version: VERSION, node: process.version });
    else console.print(`kubexm ${VERSION}`);
  },
});
