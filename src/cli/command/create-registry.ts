import { defineCommand } from '../command.ts';
import { enterOffline, offlineOptions } from '../options/offline.ts';
import { runOptions } from '../options/pipeline.ts';

export const createRegistryCommand = defineCommand({
  path: 'create registry',
  summary: 'Run the image registry of a cluster on its registry host',
  description:
    'Installs what spec.registry asks for, with a certificate of our own authority and the login of registry.auths, and sees whether it lets us in. One of your own is only asked.',
  options: {
    ...runOptions,
    push: { type: 'flag', summary: 'also bring the images of the cluster there' },
    ...offlineOptions,
  },
  examples: [
    { command: 'kubexm create registry -f cluster.yaml --dry-run', does: 'What would be done?' },
    { command: 'kubexm create registry -f cluster.yaml', does: 'Install it, or see whether it is as it should be' },
    { command: 'kubexm create registry -f cluster.yaml --push', does: 'And fill it' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { createRegistryWith } = await import('../../pipeline/registry/create.ts');
    const { findAssets } = await import('../../runtime/plan/find-assets.ts');
    const { FAMILIES } = await import('../../common/component-family.ts');
    const { rememberContext } = await import('../execute/user-contexts.ts');
    const { push } = call.options;
    return runPipeline(call, {
      pipeline: async ({ cluster, place: { workdir } }) => {
        const offline = await enterOffline(call.options, call.console);
        const ownFor = findAssets(cluster, { workdir, offline, families: { registry: ['registry'] } });
        const allFor = push ? findAssets(cluster, { workdir, offline, families: { registry: FAMILIES } }) : ownFor;
        return (found) => {
          const own = ownFor(found);
          const fetch = { files: own.fetch.files, images: allFor(found).fetch.images };
          return createRegistryWith({ ...own, fetch });
        };
      },
      command: 'create registry',
      before: rememberContext,
    });
  },
});
