import { defineCommand } from '../command.ts';
import { count } from '../format/text.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labContext, labName } from '../options/lab.ts';

export const labDown = defineCommand({
  path: 'lab down',
  summary: 'Remove a lab and everything that belongs to it',
  description:
    'Removes machines, the network, firewall rules, disks, files and leftovers from a crash. The machine image remains cached. Safe to repeat.',
  options: {
    name: labName,
    all: { type: 'flag', summary: 'remove every lab on this computer' },
    dryRun,
  },
  examples: [
    { command: 'kubexm lab down', does: 'Remove the default lab, which is named lab' },
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
      await removeContext(labContext(name));
      console.note(
        existed
          ? `Removed lab ${name} (${count(machines, 'machine')}).`
          : `Nothing to remove: there is no lab ${name}.`,
      );
    }
    if (names.length === 0) console.note('Nothing to remove: there are no labs.');
  },
});
