import { on } from '../../../plan/fragment.ts';
import { clearNode, type ClearOptions } from '../../../step/kubernetes/clear.ts';
import { stopServices } from '../../../step/kubernetes/stop.ts';
import { nodesAmong } from '../../nodes.ts';
import { defineTask } from '../../task.ts';

export const resetBinaryNodes = defineTask<ClearOptions>({
  name: 'reset-node',
  title: 'Take the nodes out of service, all at once',
  plan: ({ cluster, hosts }, options) => on(nodesAmong(hosts), clearNode(cluster, stopServices, options)),
});
