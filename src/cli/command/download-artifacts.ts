import { defineCommand } from '../command.ts';
import { archOption, loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { textOrJson } from '../options/output.ts';
import { WHOLE_PIPELINE, wholePipelineOptions } from '../options/pipeline.ts';

export const downloadArtifacts = defineCommand({
  path: 'download artifacts',
  summary: 'Download the artifacts of a cluster to this machine',
  description:
    'Verifies the checksum of each file and stores the file in ~/.kubexm/cache, which all clusters share. Resumes interrupted downloads.',
  options: {
    ...wholePipelineOptions,
    output: textOrJson,
    arch: archOption,
    images: { type: 'flag', summary: 'also download images; by default, the hosts pull images themselves' },
    ...offlineOptions,
  },
  examples: [
    { command: 'kubexm download artifacts -f cluster.yaml', does: 'Download all missing files' },
    {
      command: 'kubexm download artifacts -f cluster.yaml --images',
      does: 'Also download images, for hosts without internet access',
    },
    { command: 'kubexm download artifacts -f cluster.yaml --dry-run', does: 'Show what is missing' },
    {
      command: 'kubexm download artifacts -f cluster.yaml --images --offline-bundle bundle.tar.zst',
      does: 'Load all artifacts from a bundle',
    },
    {
      command: 'kubexm download artifacts -f cluster.yaml --offline',
      does: 'Verify that all artifacts are on this machine',
    },
  ],
  async run({ options, global, console }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { downloadArtifactsPipeline } = await import('../../pipeline/artifacts.ts');
    const { findArches } = await import('../../runtime/plan/find-arches.ts');
    const { registryCredentials } = await import('../../runtime/session/registry-credentials.ts');
    const { catalogOf } = await import('../../resource/catalog/cluster-artifacts.ts');
    const { clusterFolder } = await import('../../state/runs.ts');
    const call = { options: { ...options, ...WHOLE_PIPELINE }, global, console };
    return runPipeline(call, async ({ cluster, location: { workdir } }) => {
      const { files, images, warnings } = catalogOf(cluster, await findArches(cluster, workdir, options.arch));
      for (const warning of warnings) console.note(warning, 'note');
      const offline = await loadOfflineBundles(options, console);
      const downloads = { files, images: options.images ? images : [] };
      const assets = {
        ...downloads,
        downloads,
        artifacts: cluster.artifacts,
        credentials: await registryCredentials(cluster),
        folder: clusterFolder(workdir, cluster.name),
        offline,
      };
      return { pipeline: downloadArtifactsPipeline, assets: { type: 'listed', assets } };
    });
  },
});
