import { defineCommand } from '../command.ts';
import { nodeArguments, nodeChangeOptions } from '../options/node-change.ts';

export const cordonNodeCommand = defineCommand({
  path: 'cordon node',
  summary: 'Mark nodes as unschedulable',
  description: 'No new pods are scheduled on a cordoned node. Running pods are not affected.',
  args: nodeArguments,
  options: nodeChangeOptions,
  examples: [
    { command: 'kubexm cordon node worker1 -c prod', does: 'Prevent new pods on worker1' },
    { command: 'kubexm cordon node worker1 worker2 -c prod --dry-run', does: 'Show which nodes would change' },
  ],
  async run(call) {
    const { changeNodes } = await import('../execute/change-nodes.ts');
    const { cordonNodesPipeline } = await import('../../pipeline/nodes/drain.ts');
    return changeNodes(call, cordonNodesPipeline);
  },
});
