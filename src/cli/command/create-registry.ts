import { defineCommand } from '../command.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const createRegistryCommand = defineCommand({
  path: 'create registry',
  summary: 'Install the image registry of a cluster on its registry host',
  description:
    'Installs the registry of spec.registry with a certificate of its own CA and the credentials of registry.auths, then verifies the login. An external registry is only verified.',
  options: {
    ...pipelineOptions,
    push: { type: 'flag', summary: 'also push the images of the cluster' },
    ...offlineOptions,
  },
  examples: [
    { command: 'kubexm create registry -f cluster.yaml --dry-run', does: 'Show what would change' },
    { command: 'kubexm create registry -f cluster.yaml', does: 'Install the registry' },
    { command: 'kubexm create registry -f cluster.yaml --push', does: 'Install it and push all images' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { createRegistryWith } = await import('../../pipeline/registry/create.ts');
    const { findAssets } = await import('../../runtime/plan/find-assets.ts');
    const { FAMILIES } = await import('../../common/component-family.ts');
    const { addContext } = await import('../execute/user-contexts.ts');
    const { push } = call.options;
    return runPipeline(call, {
      pipeline: async ({ cluster, location: { workdir } }) => {
        const offline = await loadOfflineBundles(call.options, call.console);
        const ownFor = findAssets(cluster, { workdir, offline, families: { registry: ['registry'] } });
        const allFor = push ? findAssets(cluster, { workdir, offline, families: { registry: FAMILIES } }) : ownFor;
        return (found) => {
          const own = ownFor(found);
          const fetch = { files: own.fetch.files, images: allFor(found).fetch.images };
          return createRegistryWith({ ...own, fetch });
        };
      },
      command: 'create registry',
      before: addContext,
    });
  },
});
