import { defineCommand } from '../command.ts';
import { SHELLS } from '../program/completion-scripts.ts';
import { fail } from '../../common/errors/errors.ts';

export const completion = defineCommand({
  path: 'completion',
  summary: 'Print the completion script of a shell',
  args: [{ name: 'SHELL', summary: 'bash, zsh or fish', complete: async () => SHELLS }],
  options: {},
  examples: [
    { command: 'source <(kubexm completion bash)', does: 'Complete in this bash' },
    { command: 'kubexm completion zsh > "${fpath[1]}/_kubexm"', does: 'Complete in every new zsh' },
    { command: 'kubexm completion fish > ~/.config/fish/completions/kubexm.fish', does: 'Complete in every new fish' },
  ],
  async run({ args: [name = ''], console }) {
    const { scripts } = await import('../program/completion-scripts.ts');
    const shell = SHELLS.find((known) => known === name);
    if (!shell)
      throw fail('USAGE', {
        message: `'${name}' is not a shell that is known: ${SHELLS.join(', ')}`,
        help: 'kubexm completion --help',
      });
    console.print(scripts[shell].trimEnd());
  },
});
