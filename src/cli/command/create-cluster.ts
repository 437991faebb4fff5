import { defineCommand } from '../command.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const createClusterCommand = defineCommand({
  path: 'create cluster',
  summary: 'Create a Kubernetes cluster on the hosts in a cluster file',
  description:
    'Every step checks the host first and changes only what differs, so the command can be repeated at any time.',
  options: {
    ...pipelineOptions,
    ...offlineOptions,
    skipPreflight: { type: 'flag', summary: 'skip the preflight checks' },
    mergeKubeconfig: { type: 'flag', summary: 'add the cluster to your kubeconfig' },
    ignorePreflight: { type: 'list', value: 'IDS', summary: 'continue despite errors in these checks, e.g. PF3,PF9' },
  },
  examples: [
    { command: 'kubexm create cluster -f cluster.yaml --dry-run', does: 'Show the plan and what it would change' },
    { command: 'kubexm create cluster -f cluster.yaml', does: 'Create the cluster' },
    {
      command: 'kubexm create cluster -f cluster.yaml --offline-bundle bundle.tar.zst',
      does: 'Create the cluster without internet access',
    },
    { command: 'kubexm create cluster -f cluster.yaml --resume', does: 'Resume after a failure' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { createClusterPipeline } = await import('../../pipeline/cluster/create.ts');
    const { checkIds } = await import('../../runtime/run/check-hosts.ts');
    const { addContext, addToKubeconfig } = await import('../execute/user-contexts.ts');
    const { skipPreflight, ignorePreflight, mergeKubeconfig } = call.options;
    const ignore = checkIds(ignorePreflight);
    return runPipeline(call, async ({ diagnostics }) => {
      const offline = await loadOfflineBundles(call.options, call.console);
      const preflight = skipPreflight ? 'skip' : { ignore, lint: diagnostics };
      return {
        pipeline: createClusterPipeline({ preflight, offline }),
        assets: { type: 'catalog', offline },
        before: addContext,
        after: async ({ name }, { workdir }) => {
          if (mergeKubeconfig) await addToKubeconfig({ name, workdir }, call.console);
        },
      };
    });
  },
});
