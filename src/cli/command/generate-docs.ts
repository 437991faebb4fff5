import { join } from 'node:path';
import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';

export const generateDocs = defineCommand({
  path: 'generate docs',
  summary: 'Generate the reference documentation',
  options: {
    dir: { type: 'text', value: 'DIR', default: 'docs/reference', summary: 'directory to write to' },
    dryRun,
  },
  examples: [{ command: 'kubexm generate docs --dir docs/reference', does: 'Update the reference pages' }],
  async run({ options, console }) {
    const { ensureFolder } = await import('../../util/ensure-folder.ts');
    const { writeFileAtomically } = await import('../../util/write-file.ts');
    const { referencePages } = await import('../reference/pages.ts');
    const { commands } = await import('../commands.ts');
    const pages = Object.entries(referencePages(commands));
    if (options.dryRun)
      return printDryRun(
        console,
        pages.map(([name]) => `write ${join(options.dir, name)}`),
      );
    await ensureFolder(options.dir, 0o755);
    for (const [name, text] of pages) {
      await writeFileAtomically(join(options.dir, name), text, 0o644);
      console.print(join(options.dir, name));
    }
  },
});
