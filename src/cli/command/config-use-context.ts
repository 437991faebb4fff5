import { defineCommand } from '../command.ts';
import { contextNames } from '../context-names.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';

export const useContext = defineCommand({
  path: 'config use-context',
  summary: 'Choose the cluster that commands work on',
  args: [{ name: 'NAME', summary: 'a name from kubexm config get-contexts', complete: contextNames }],
  options: { dryRun },
  examples: [{ command: 'kubexm config use-context prod', does: 'Work on prod from now on' }],
  async run({ args: [name = ''], options, console }) {
    const contexts = await import('../../state/contexts.ts');
    if (options.dryRun) return printDryRun(console, [`work on ${(await contexts.findContext(name)).name}`]);
    await contexts.useContext(name);
    console.print(`Commands now work on ${name}.`);
  },
});
