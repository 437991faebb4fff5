import { on } from '../../plan/fragment.ts';
import { clearNode } from '../../step/kubernetes/clear.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const resetNodes = defineTask({
  name: 'reset-node',
  title: 'Take the nodes out of service, all at once',
  plan: ({ cluster, hosts }) => on(nodesAmong(hosts), clearNode(cluster)),
});
