import { availableParallelism } from 'node:os';
import type { Built } from '../../lab/mirror/build.ts';
import type { Component } from '../../lab/mirror/component.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { count, megabytes } from '../format/text.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { mirrorDir, mirrorDirectory } from '../options/lab.ts';

export const labMirrorBuild = defineCommand({
  path: 'lab mirror build',
  summary: 'Build binaries and images from source for a local mirror',
  description:
    'Builds all artifacts that clusters download and stores them in a directory: files under the HOST/PATH of their URL with upstream checksum files, images as an ' +
    'OCI layout, and SHA256SUMS for artifacts.checksums. Sources are Go modules and Debian packages, or the directory in ' +
    'KUBEXM_LAB_SEED. Completed components are kept; repeat the command to resume.',
  options: {
    versions: { type: 'text', value: 'LIST', summary: 'Kubernetes versions (default: 1.34.4,1.35.4,1.36.3)' },
    components: {
      type: 'text',
      value: 'LIST',
      summary: 'components, e.g. etcd,containerd,runc (default: all components that a cluster needs)',
    },
    dir: mirrorDir,
    dryRun,
  },
  examples: [
    { command: 'kubexm lab mirror build --versions 1.36.3', does: 'Build everything for one Kubernetes version' },
    { command: 'kubexm lab mirror build --components etcd,containerd,runc', does: 'Build only some components' },
    {
      command: 'KUBEXM_LAB_SEED=/srv/seed kubexm lab mirror build',
      does: 'Use prebuilt components from a directory, build the rest',
    },
  ],
  async run({ options, console }) {
    const { componentsFor, DEFAULT_VERSIONS } = await import('../../lab/mirror/catalog.ts');
    const words = (list = '') => list.split(/[, ]+/).filter((word) => word !== '');
    const components = componentsFor({
      versions: options.versions === undefined ? DEFAULT_VERSIONS : words(options.versions),
      components: words(options.components),
    });
    const folder = await mirrorDirectory(options.dir);
    const { previewMirror } = await import('../../lab/mirror/preview.ts');
    const { actions, seconds } = await previewMirror(folder, components);
    if (options.dryRun) printDryRun(console, actions);
    if (actions.length > 0) await noteDuration(seconds, console);
    if (!options.dryRun) await buildAndReport(folder, components, console);
  },
});

async function noteDuration(seconds: number, console: Console): Promise<void> {
  const { approximately } = await import('../../lab/mirror/estimate.ts');
  console.note(`Estimated build time: ${approximately(seconds)} on ${count(availableParallelism(), 'CPU')}`);
}

/** Builds the mirror and prints what was built, how long each component took, and what to run next. */
async function buildAndReport(folder: string, components: readonly Component[], console: Console): Promise<void> {
  const { buildMirror } = await import('../../lab/mirror/build.ts');
  const { mirrorPaths } = await import('../../lab/mirror/paths.ts');
  const start = performance.now();
  const built = await abortOnInterrupt((signal) => buildMirror(folder, components, console.progress, signal));
  await console.table(['COMPONENT', 'VERSION', 'FROM', 'SECONDS', 'SIZE'], built.map(row));
  console.note(
    [
      '',
      `${count(built.length, 'component')} in ${((performance.now() - start) / 1000).toFixed(1)} s`,
      '',
      `Serve      kubexm lab mirror serve --dir ${folder}`,
      `Checksums  ${mirrorPaths(folder).checksums} (for artifacts.checksums in a cluster file)`,
    ].join('\n'),
  );
}

const row = ({ name, version, from, seconds, files, blobs, present }: Built): readonly string[] => [
  name,
  version,
  from,
  present ? 'cached' : seconds.toFixed(1),
  megabytes(
    [...new Map([...files, ...blobs].map((one) => [one.sha256, one.size])).values()].reduce((a, b) => a + b, 0),
  ),
];
