import { chain } from '../../plan/fragment.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { refuseKeptData } from '../../step/kubernetes/refuse-kept-data.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const checkChanges = defineTask({
  name: 'check-changes',
  title: 'See whether the file asks for what a cluster that runs cannot become',
  plan: ({ cluster, hosts }) => chain(nodesAmong(hosts), [refuseChanges(cluster), refuseKeptData(cluster)]),
});
