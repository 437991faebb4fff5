import { defineCommand } from '../command.ts';
import { contextNames } from '../options/cluster.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';

export const useContext = defineCommand({
  path: 'config use-context',
  summary: 'Set the current context',
  args: [{ name: 'NAME', summary: 'context, see kubexm config get-contexts', complete: contextNames }],
  options: { dryRun },
  examples: [{ command: 'kubexm config use-context prod', does: 'Use prod in all commands without -f or -c' }],
  async run({ args: [name = ''], options, console }) {
    const contexts = await import('../../state/contexts.ts');
    if (options.dryRun) return printDryRun(console, [`switch to context ${(await contexts.findContext(name)).name}`]);
    await contexts.useContext(name);
    console.print(`Switched to context ${name}.`);
  },
});
