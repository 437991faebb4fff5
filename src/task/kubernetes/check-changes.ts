import { on } from '../../plan/fragment.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const checkChanges = defineTask({
  name: 'check-changes',
  title: 'See whether the file asks for what a cluster that runs cannot become',
  plan: ({ cluster, hosts }) => on(nodesAmong(hosts), refuseChanges(cluster)),
});
