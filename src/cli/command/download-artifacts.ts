import { ARCHES } from '../../common/host.ts';
import { defineCommand } from '../command.ts';
import { enterOffline, offlineOptions } from '../options/offline.ts';
import { runOptions } from '../options/pipeline.ts';

const { nodes: _, tags: __, skipTags: ___, noRollback: ____, ...options } = runOptions;

export const downloadArtifacts = defineCommand({
  path: 'download artifacts',
  summary: 'Bring what a cluster needs to this machine',
  description:
    'Each file is checked and kept once for all clusters below ~/.kubexm/cache; a download that was interrupted goes on.',
  options: {
    ...options,
    arch: {
      type: 'choice',
      choices: ARCHES,
      summary: 'of hosts that the file tells none of; they are asked otherwise',
    },
    images: { type: 'flag', summary: 'also the images, which hosts otherwise pull themselves' },
    ...offlineOptions,
  },
  examples: [
    { command: 'kubexm download artifacts -f cluster.yaml', does: 'Fetch what is missing' },
    { command: 'kubexm download artifacts -f cluster.yaml --images', does: 'For hosts without a network, too' },
    { command: 'kubexm download artifacts -f cluster.yaml --dry-run', does: 'What is missing?' },
    {
      command: 'kubexm download artifacts -f cluster.yaml --images --offline-bundle bundle.tar.zst',
      does: 'From a bundle',
    },
    { command: 'kubexm download artifacts -f cluster.yaml --offline', does: 'Is everything here?' },
  ],
  async run({ options, global, console }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { downloadPipeline } = await import('../../pipeline/artifacts/download.ts');
    const { findArches } = await import('../../runtime/plan/find-arches.ts');
    const { registryCredentials } = await import('../../runtime/session/registry-credentials.ts');
    const { catalogOf } = await import('../../resource/catalog/catalog.ts');
    const { clusterFolder } = await import('../../state/runs.ts');
    const all = { ...options, nodes: [], tags: [], skipTags: [], noRollback: true };
    return runPipeline(
      { options: all, global, console },
      {
        command: 'download artifacts',
        pipeline: async ({ cluster, place: { workdir } }) => {
          const { files, images, warnings } = catalogOf(cluster, await findArches(cluster, workdir, options.arch));
          for (const warning of warnings) console.note(warning, 'note');
          const offline = await enterOffline(options, console);
          const folder = clusterFolder(workdir, cluster.name);
          const fetch = { files, images: options.images ? images : [] };
          return downloadPipeline({
            ...fetch,
            fetch,
            artifacts: cluster.artifacts,
            credentials: await registryCredentials(cluster),
            folder,
            offline,
          });
        },
      },
    );
  },
});
