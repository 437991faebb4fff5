import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { defineCommand } from '../command.ts';
import { size } from '../format/text.ts';
import { textOrJson } from '../options/output.ts';

export const offlineVerify = defineCommand({
  path: 'offline verify',
  summary: 'Verify the integrity and the signature of a bundle',
  description:
    'Reads the whole bundle and verifies that every file matches the checksum in the index, that no file is missing or unexpected, and that the index ' +
    'is signed with a trusted key. With --key, kubexm trusts the key of a publisher, and all commands accept bundles signed with it.',
  args: [{ name: 'BUNDLE', summary: 'bundle to verify' }],
  options: {
    key: { type: 'text', value: 'KEY', summary: 'key to trust: a fingerprint (SHA256:…) or a public key file' },
    base: { type: 'text', value: 'BUNDLE', summary: 'base bundle of a delta bundle' },
    output: textOrJson,
  },
  examples: [
    { command: 'kubexm offline verify bundle.tar.zst', does: 'Verify integrity and signature' },
    {
      command: 'kubexm offline verify bundle.tar.zst --key SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs',
      does: 'Trust a new key and verify the bundle',
    },
  ],
  async run({ args: [path = ''], options: { key: trustedKey, base, output }, console }) {
    const { verifyBundle } = await import('../../runtime/offline/verify-bundle.ts');
    const { index, key } = await verifyBundle(path, { key: trustedKey, base, progress: console.progress });
    if (output === 'json') return console.json({ bundle: path, key, ...index });
    console.print(`${path} is valid: ${contentText(index)}`);
    console.print(`Cluster  ${index.cluster}, Kubernetes ${index.kubernetes}, ${index.arches.join(' and ')}`);
    if (index.base) console.print(`Base     ${index.base.cluster}, Kubernetes ${index.base.kubernetes}`);
    console.print(`Key      ${key}`);
    for (const note of index.notes) console.note(note, 'note');
  },
});

function contentText({ files, images, systems, content }: BundleIndex): string {
  const bytes = content.reduce((all, one) => all + one.size, 0);
  const packages = systems.map(({ id, arch, packages: all }) => `${all.length} packages for ${id} (${arch})`);
  return [`${files.length} files`, `${images.length} images`, ...packages, size(bytes)].join(', ');
}
