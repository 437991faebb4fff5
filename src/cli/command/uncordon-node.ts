import { defineCommand } from '../command.ts';
import { nodeArguments, nodeChangeOptions } from '../options/node-change.ts';

export const uncordonNodeCommand = defineCommand({
  path: 'uncordon node',
  summary: 'Mark nodes as schedulable again',
  description:
    'Use this command after maintenance of a cordoned or drained node. Evicted pods do not return automatically.',
  args: nodeArguments,
  options: nodeChangeOptions,
  examples: [
    { command: 'kubexm uncordon node worker1 -c prod', does: 'Allow new pods on worker1 again' },
    { command: 'kubexm uncordon node worker1 worker2 -c prod --dry-run', does: 'Show which nodes would change' },
  ],
  async run(call) {
    const { changeNodes } = await import('../execute/change-nodes.ts');
    const { uncordonNodesPipeline } = await import('../../pipeline/nodes/drain.ts');
    return changeNodes(call, uncordonNodesPipeline);
  },
});
