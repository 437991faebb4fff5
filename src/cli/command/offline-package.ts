import { stat } from 'node:fs/promises';
import { ARCHES, type Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { defineCommand } from '../command.ts';
import { runOptions } from '../options/pipeline.ts';
import { size } from '../format/size.ts';

const { nodes: _, tags: __, skipTags: ___, noRollback: ____, output: _____, ...options } = runOptions;

export const offlinePackage = defineCommand({
  path: 'offline package',
  summary: 'Put everything that a cluster needs into one file',
  description:
    'Files, images, charts and manifests of the cluster, and the packages that its hosts install, with a hash of every file, a bill of materials ' +
    '(SPDX) and a signature. What is not here is downloaded first; after an interruption the same command goes on. The same input gives the same file.',
  options: {
    ...options,
    output: {
      type: 'text',
      short: 'o',
      value: 'FILE',
      default: 'bundle.tar.zst',
      summary: 'the bundle, .tar.zst or .tar.gz',
    },
    arch: {
      type: 'list',
      value: 'ARCH',
      summary: 'for hosts of these architectures; as the file or the hosts say without it',
    },
    packages: {
      type: 'choice',
      choices: ['hosts', 'here', 'none'],
      default: 'hosts',
      summary: 'who fetches packages of the system: a host of each kind, this machine if it is of that kind, or nobody',
    },
    base: { type: 'text', value: 'BUNDLE', summary: 'leave out what this bundle has' },
    offline: { type: 'flag', summary: 'use no network: what is not here is an error' },
  },
  examples: [
    { command: 'kubexm offline package -f cluster.yaml -o bundle.tar.zst', does: 'For a place without a network' },
    {
      command: 'kubexm offline package -f cluster.yaml --arch amd64,arm64 --packages none',
      does: 'Without asking hosts',
    },
    {
      command: 'kubexm offline package -f cluster.yaml -o delta.tar.zst --base bundle.tar.zst',
      does: 'Only what changed since',
    },
  ],
  async run({ options, global, console }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { packagePipeline } = await import('../../pipeline/artifacts/package.ts');
    const { planBundle } = await import('../../runtime/offline/plan-bundle.ts');
    const { signingKey } = await import('../../resource/bundle/keys.ts');
    const { fingerprint } = await import('../../resource/bundle/sign.ts');
    const all = { ...options, output: 'text' as const, nodes: [], tags: [], skipTags: [], noRollback: true };
    const arches = archesOf(options.arch);
    return runPipeline(
      { options: all, global, console },
      {
        command: 'offline package',
        pipeline: async ({ cluster, place: { workdir } }) => {
          const wish = { path: options.output, workdir, arches, packagesFrom: options.packages, base: options.base };
          const planned = await planBundle(cluster, { ...wish, offline: options.offline, dryRun: options.dryRun });
          for (const warning of planned.warnings) console.note(warning, 'note');
          return packagePipeline(planned);
        },
        after: async () => {
          const [{ size: bytes }, key] = await Promise.all([stat(options.output), signingKey()]);
          console.note(`\nBundle  ${options.output}, ${size(bytes)}\nKey     ${fingerprint(key)}`);
          console.note(`There   kubexm offline verify ${options.output} --key ${fingerprint(key)}`);
        },
      },
    );
  },
});

function archesOf(words: readonly string[]): readonly Arch[] {
  return words
    .flatMap((list) => list.split(','))
    .map((word) => {
      const arch = ARCHES.find((one) => one === word);
      if (arch) return arch;
      throw fail('USAGE', { message: `There is no architecture ${word}.`, help: `It is one of ${ARCHES.join(', ')}.` });
    });
}
