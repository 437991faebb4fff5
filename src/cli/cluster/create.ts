import { defineCommand } from '../command.ts';
import { runOptions } from '../run/options.ts';

export const createClusterCommand = defineCommand({
  path: 'create cluster',
  summary: 'Make a cluster out of the hosts of a file',
  description: 'Every step looks first, so it can be run again at any time; with nothing to do it changes nothing.',
  options: runOptions,
  examples: [
    { command: 'kubexm create cluster -f cluster.yaml --dry-run', does: 'Show the plan and what it would change' },
    { command: 'kubexm create cluster -f cluster.yaml', does: 'Make it so' },
    { command: 'kubexm create cluster -f cluster.yaml --resume', does: 'Go on after a failure' },
  ],
  async run(call) {
    const { runPipeline } = await import('../run/pipeline.ts');
    const { createCluster } = await import('../../pipeline/cluster/create.ts');
    const { rememberContext } = await import('./context.ts');
    return runPipeline(call, {
      pipeline: () => createCluster,
      command: 'create cluster',
      before: rememberContext,
    });
  },
});
