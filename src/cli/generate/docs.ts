import { join } from 'node:path';
import { defineCommand } from '../command.ts';

export const generateDocs = defineCommand({
  path: 'generate docs',
  summary: 'Write the reference pages',
  options: { dir: { type: 'text', value: 'DIR', default: 'docs/reference', summary: 'folder to write to' } },
  examples: [{ command: 'kubexm generate docs --dir docs/reference', does: 'Bring the pages up to date' }],
  async run({ options, console }) {
    const { mkdir } = await import('node:fs/promises');
    const { writeFileAtomically } = await import('../../util/write-file.ts');
    const { referencePages } = await import('./pages.ts');
    const { commands } = await import('../commands.ts');
    await mkdir(options.dir, { recursive: true });
    for (const [name, text] of Object.entries(referencePages(commands))) {
      await writeFileAtomically(join(options.dir, name), text, 0o644);
      console.print(join(options.dir, name));
    }
  },
});
