import { defineCommand } from '../command.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const createRegistryCommand = defineCommand({
  path: 'create registry',
  summary: 'Install the image registry of a cluster on its registry host',
  description:
    'Installs the registry defined in spec.registry with a certificate from its own CA and the credentials in registry.auths, then verifies the login. An external registry is only verified.',
  options: {
    ...pipelineOptions,
    push: { type: 'flag', summary: 'also push the cluster images' },
    ...offlineOptions,
  },
  examples: [
    { command: 'kubexm create registry -f cluster.yaml --dry-run', does: 'Show what would change' },
    { command: 'kubexm create registry -f cluster.yaml', does: 'Install the registry' },
    { command: 'kubexm create registry -f cluster.yaml --push', does: 'Install the registry and push all images' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { createRegistryPipeline } = await import('../../pipeline/registry.ts');
    const { addContext } = await import('../execute/user-contexts.ts');
    return runPipeline(call, async () => {
      const offline = await loadOfflineBundles(call.options, call.console);
      return {
        pipeline: createRegistryPipeline({ push: call.options.push }),
        assets: { type: 'catalog', offline },
        before: addContext,
      };
    });
  },
});
