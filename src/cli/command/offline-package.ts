import { stat } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import { ARCHES, type Arch } from '../../common/host.ts';
import { defineCommand } from '../command.ts';
import { size } from '../format/text.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { WHOLE_PIPELINE, wholePipelineOptions } from '../options/pipeline.ts';

export const offlinePackage = defineCommand({
  path: 'offline package',
  summary: 'Package all artifacts of a cluster into one bundle',
  description:
    'A bundle contains the files, images, charts and manifests of the cluster and the system packages of its hosts, with a checksum for every file, ' +
    'an SPDX bill of materials and a signature. Downloads missing artifacts first; repeat the command to resume. Bundles are reproducible.',
  options: {
    ...wholePipelineOptions,
    output: {
      type: 'text',
      short: 'o',
      value: 'FILE',
      default: 'bundle.tar.zst',
      summary: 'output file, .tar.zst or .tar.gz',
    },
    arch: {
      type: 'list',
      value: 'ARCH',
      summary: 'architectures to include (default: the architectures of the hosts)',
    },
    packages: {
      type: 'choice',
      choices: ['hosts', 'here', 'none'],
      default: 'hosts',
      summary:
        'where to download system packages: on one host per OS (hosts), on this machine if it has the same OS (here), or nowhere (none)',
    },
    base: { type: 'text', value: 'BUNDLE', summary: 'create a delta bundle without the content of this bundle' },
    offline: { type: 'flag', summary: 'do not use the network; fail if an artifact is missing on this machine' },
  },
  examples: [
    {
      command: 'kubexm offline package -f cluster.yaml -o bundle.tar.zst',
      does: 'Create a bundle for a site without internet access',
    },
    {
      command: 'kubexm offline package -f cluster.yaml --arch amd64,arm64 --packages none',
      does: 'Create a bundle without connecting to the hosts',
    },
    {
      command: 'kubexm offline package -f cluster.yaml -o delta.tar.zst --base bundle.tar.zst',
      does: 'Create a bundle with only the changes since another bundle',
    },
  ],
  async run({ options, global, console }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { packageOfflinePipeline } = await import('../../pipeline/artifacts.ts');
    const { planBundle } = await import('../../runtime/offline/plan-bundle.ts');
    const { signingKey } = await import('../../resource/bundle/keys.ts');
    const { fingerprint } = await import('../../resource/bundle/sign.ts');
    const arches = archesOf(options.arch);
    const call = { options: { ...options, ...WHOLE_PIPELINE, output: 'text' as const }, global, console };
    return runPipeline(call, async ({ cluster, location: { workdir } }) => {
      const request = { path: options.output, workdir, arches, packagesFrom: options.packages, base: options.base };
      const { warnings, assets, packaging } = await planBundle(cluster, {
        ...request,
        offline: options.offline,
        dryRun: options.dryRun,
        onNewHostKey: showNewHostKeys(console),
      });
      for (const warning of warnings) console.note(warning, 'note');
      return {
        pipeline: packageOfflinePipeline(packaging),
        assets: { type: 'listed', assets },
        after: async () => {
          const [{ size: bytes }, key] = await Promise.all([stat(options.output), signingKey()]);
          console.note(`\nBundle  ${options.output}, ${size(bytes)}\nKey     ${fingerprint(key)}`);
          console.note(`Verify  kubexm offline verify ${options.output} --key ${fingerprint(key)}`);
        },
      };
    });
  },
});

function archesOf(words: readonly string[]): readonly Arch[] {
  return words
    .flatMap((list) => list.split(','))
    .map((word) => {
      const arch = ARCHES.find((one) => one === word);
      if (arch) return arch;
      throw fail('USAGE', { message: `Unknown architecture ${word}.`, help: `Use one of ${ARCHES.join(', ')}.` });
    });
}
