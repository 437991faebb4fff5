import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { defineCommand } from '../command.ts';
import { size } from '../format/size.ts';

export const offlineVerify = defineCommand({
  path: 'offline verify',
  summary: 'Find out whether a bundle is what was packaged',
  description:
    'Reads all of it: every file has the hash that the index tells, none is missing, none is there besides, and the index is signed with a key that is ' +
    'known here. --key names the key that whoever made it told; it is remembered, and other commands then take bundles of it.',
  args: [{ name: 'bundle', summary: 'the bundle' }],
  options: {
    key: { type: 'text', value: 'KEY', summary: 'fingerprint SHA256:… of the key, or a file with it' },
    base: { type: 'text', value: 'BUNDLE', summary: 'for a bundle of changes: the one it builds on' },
    output: { type: 'choice', short: 'o', choices: ['text', 'json'], default: 'text', summary: 'how it is printed' },
  },
  examples: [
    { command: 'kubexm offline verify bundle.tar.zst', does: 'Is it whole, and from whom we know?' },
    {
      command: 'kubexm offline verify bundle.tar.zst --key SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs',
      does: 'The first bundle of somebody',
    },
  ],
  async run({ args: [path = ''], options: { key: named, base, output }, console }) {
    const { verifyBundle } = await import('../../runtime/offline/verify-bundle.ts');
    const { index, key } = await verifyBundle(path, { key: named, base, progress: console.progress });
    if (output === 'json') return console.json({ bundle: path, key, ...index });
    console.print(`${path} is whole: ${contentText(index)}`);
    console.print(`Cluster  ${index.cluster}, Kubernetes ${index.kubernetes}, ${index.arches.join(' and ')}`);
    if (index.base) console.print(`Base     ${index.base.cluster}, Kubernetes ${index.base.kubernetes}`);
    console.print(`Key      ${key}`);
    for (const note of index.notes) console.note(note, 'note');
  },
});

function contentText({ files, images, systems, content }: BundleIndex): string {
  const bytes = content.reduce((all, one) => all + one.size, 0);
  const packages = systems.map(({ id, arch, packages: all }) => `${all.length} packages of ${id} (${arch})`);
  return [`${files.length} files`, `${images.length} images`, ...packages, size(bytes)].join(', ');
}
