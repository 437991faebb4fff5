import type { Difference, Version } from '../../resource/bundle/diff.ts';
import { defineCommand } from '../command.ts';
import { size } from '../format/size.ts';

export const offlineDiff = defineCommand({
  path: 'offline diff',
  summary: 'Show what changed from one bundle to another',
  args: [
    { name: 'before', summary: 'a bundle' },
    { name: 'after', summary: 'another one' },
  ],
  options: {
    output: { type: 'choice', short: 'o', choices: ['table', 'json'], default: 'table', summary: 'how it is printed' },
  },
  examples: [
    { command: 'kubexm offline diff old.tar.zst new.tar.zst', does: 'What is new?' },
    { command: 'kubexm offline diff old.tar.zst new.tar.zst -o json', does: 'For scripts' },
  ],
  async run({ args: [before = '', after = ''], options, console }) {
    const { diffBundleFiles } = await import('../../runtime/offline/diff-bundles.ts');
    const diff = await diffBundleFiles(before, after);
    if (options.output === 'json') return console.json(diff);
    const { differences, delta } = diff;
    if (differences.length === 0) console.print('They hold the same.');
    else await console.table(['CHANGE', 'TYPE', 'NAME', 'ARCH', 'BEFORE', 'AFTER', 'SIZE'], differences.map(row));
    if (delta.files > 0)
      console.note(`\n${after} has ${delta.files} files, ${size(delta.bytes)}, that ${before} has not.`);
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
