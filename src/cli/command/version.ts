import { VERSION } from '../../common/version.ts';
import { defineCommand } from '../command.ts';
import { textOrJson } from '../options/output.ts';

export const version = defineCommand({
  path: 'version',
  summary: 'Print the version of kubexm',
  options: { output: textOrJson },
  examples: [{ command: 'kubexm version', does: 'Print the version' }],
  async run({ options, console }) {
    if (options.output === 'json') console.json({ version: VERSION, node: process.version });
    else console.print(`kubexm ${VERSION}`);
  },
});
