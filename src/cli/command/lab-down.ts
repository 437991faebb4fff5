import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { contextOf, labName } from '../options/lab.ts';

export const labDown = defineCommand({
  path: 'lab down',
  summary: 'Remove a lab: machines, network, rules, disks and files',
  description:
    'Removes a lab with all that belongs to it, also what a crash left behind. Safe to repeat. The machine image stays cached for the next lab.',
  options: {
    name: labName,
    all: { type: 'flag', summary: 'every lab on this computer' },
    dryRun,
  },
  examples: [
    { command: 'kubexm lab down', does: 'Remove the lab named lab' },
    { command: 'kubexm lab down --all', does: 'Remove every lab on this computer' },
  ],
  async run({ options, console }) {
    const [{ labDown: remove }, { findLabs }] = await Promise.all([
      import('../../lab/down.ts'),
      import('../../lab/labs.ts'),
    ]);
    const { removeContext } = await import('../../state/contexts.ts');
    const { previewDown } = await import('../../lab/preview.ts');
    const names = options.all ? await findLabs() : [options.name];
    if (options.dryRun) return printDryRun(console, (await Promise.all(names.map(previewDown))).flat());
    for (const name of names) {
      const { existed, machines } = await remove(name, console.progress);
      await removeContext(contextOf(name));
      const count = machines === 1 ? '1 machine' : `${machines} machines`;
      console.note(
        existed ? `The lab ${name} is gone (${count}).` : `There is no lab named ${name}: nothing to remove.`,
      );
    }
    if (names.length === 0) console.note('There are no labs: nothing to remove.');
  },
});
