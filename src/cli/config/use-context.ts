import { defineCommand } from '../command.ts';

export const useContext = defineCommand({
  path: 'config use-context',
  summary: 'Choose the cluster that commands work on',
  args: [{ name: 'NAME', summary: 'a name from kubexm config get-contexts', complete: contextNames }],
  options: {},
  examples: [{ command: 'kubexm config use-context prod', does: 'Work on prod from now on' }],
  async run({ args, console }) {
    const contexts = await import('../../state/contexts.ts');
    await contexts.useContext(args[0]!);
    console.print(`Commands now work on ${args[0]}.`);
  },
});

async function contextNames(): Promise<readonly string[]> {
  const { readContexts } = await import('../../state/contexts.ts');
  return (await readContexts()).contexts.map(({ name }) => name);
}
