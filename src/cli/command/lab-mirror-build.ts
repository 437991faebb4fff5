import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { mirrorFolder } from '../lab/mirror-options.ts';

export const labMirrorBuild = defineCommand({
  path: 'lab mirror build',
  summary: 'Build binaries and images from source, laid out like the internet',
  description:
    'Makes a folder that holds what clusters download, laid out like the internet (HOST/PATH), with the sums that publishers offer, images as an ' +
    'OCI layout, and SHA256SUMS for artifacts.checksums. Everything is built from Go modules and Debian packages, or taken from the ' +
    'folder that KUBEXM_LAB_SEED names. What is finished stays: run it again after an interruption, and it goes on.',
  options: {
    versions: { type: 'text', value: 'list', summary: 'versions of Kubernetes; 1.34.4,1.35.4,1.36.3 without it' },
    components: {
      type: 'text',
      value: 'list',
      summary: 'only these, such as etcd,containerd,runc; all that make a cluster without it',
    },
    dir: mirrorFolder,
    dryRun,
  },
  examples: [
    { command: 'kubexm lab mirror build --versions 1.36.3', does: 'All that one version of Kubernetes needs' },
    { command: 'kubexm lab mirror build --components etcd,containerd,runc', does: 'Some components only' },
    {
      command: 'KUBEXM_LAB_SEED=/srv/seed kubexm lab mirror build',
      does: 'Take from a folder what it has, build the rest',
    },
  ],
  async run({ options, console }) {
    const { componentsFor, DEFAULT_VERSIONS } = await import('../../lab/mirror/catalog.ts');
    const { folderOf } = await import('../lab/mirror-options.ts');
    const words = (list = '') => list.split(/[, ]+/).filter((word) => word !== '');
    const components = componentsFor({
      versions: options.versions === undefined ? DEFAULT_VERSIONS : words(options.versions),
      components: words(options.components),
    });
    const folder = await folderOf(options.dir);
    if (options.dryRun) {
      const { previewMirror } = await import('../../lab/mirror/preview.ts');
      return printDryRun(console, await previewMirror(folder, components));
    }
    const { runMirrorBuild } = await import('./lab-mirror-run.ts');
    return runMirrorBuild(folder, components, console);
  },
});
