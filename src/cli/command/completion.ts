import { fail } from '../../common/errors/errors.ts';
import { defineCommand } from '../command.ts';
import { SHELLS } from '../program/completion-scripts.ts';

export const completion = defineCommand({
  path: 'completion',
  summary: 'Print a shell completion script',
  args: [{ name: 'SHELL', summary: 'bash, zsh or fish', complete: async () => SHELLS }],
  options: {},
  examples: [
    { command: 'source <(kubexm completion bash)', does: 'Enable completion in the current bash' },
    { command: 'kubexm completion zsh > "${fpath[1]}/_kubexm"', does: 'Enable completion in every new zsh' },
    {
      command: 'kubexm completion fish > ~/.config/fish/completions/kubexm.fish',
      does: 'Enable completion in every new fish',
    },
  ],
  async run({ args: [name = ''], console }) {
    const { scripts } = await import('../program/completion-scripts.ts');
    const shell = SHELLS.find((known) => known === name);
    if (!shell)
      throw fail('USAGE', {
        message: `unknown shell '${name}'; supported: ${SHELLS.join(', ')}`,
        help: 'kubexm completion --help',
      });
    console.print(scripts[shell].trimEnd());
  },
});
