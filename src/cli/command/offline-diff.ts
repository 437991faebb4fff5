import type { Difference, Version } from '../../resource/bundle/diff.ts';
import { defineCommand } from '../command.ts';
import { count, size } from '../format/text.ts';
import { tableOrJson } from '../options/output.ts';

export const offlineDiff = defineCommand({
  path: 'offline diff',
  summary: 'Show the differences between two bundles',
  args: [
    { name: 'BEFORE', summary: 'older bundle' },
    { name: 'AFTER', summary: 'newer bundle' },
  ],
  options: { output: tableOrJson },
  examples: [
    { command: 'kubexm offline diff old.tar.zst new.tar.zst', does: 'Show what changed' },
    { command: 'kubexm offline diff old.tar.zst new.tar.zst -o json', does: 'Print the differences as JSON' },
  ],
  async run({ args: [before = '', after = ''], options, console }) {
    const { diffBundleFiles } = await import('../../runtime/offline/diff-bundles.ts');
    const diff = await diffBundleFiles(before, after);
    if (options.output === 'json') return console.json(diff);
    const { differences, delta } = diff;
    if (differences.length === 0) console.print('The bundles have the same content.');
    else await console.table(['CHANGE', 'TYPE', 'NAME', 'ARCH', 'BEFORE', 'AFTER', 'SIZE'], differences.map(row));
    if (delta.files > 0)
      console.note(`\n${after} has ${count(delta.files, 'file')} (${size(delta.bytes)}) that are not in ${before}.`);
  },
});

const row = ({ change, type, name, arch, before, after }: Difference): readonly string[] => [
  change,
  type,
  name,
  arch,
  before?.version ?? '',
  after?.version ?? '',
  sizes(before, after),
];

const sizes = (before: Version | undefined, after: Version | undefined) =>
  before && after && before.size !== after.size
    ? `${size(before.size)} > ${size(after.size)}`
    : size((after ?? before)?.size ?? 0);
