import { chain, on } from '../../plan/fragment.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { refuseExistingEtcdData } from '../../step/kubernetes/existing-etcd-data.ts';
import { refuseUnsupported, type Unsupported } from '../../step/kubernetes/refuse-unsupported.ts';
import { allNodes } from '../host-groups.ts';
import { defineTask } from '../task.ts';

export const checkSupport = defineTask<Unsupported>({
  name: 'check-support',
  title: 'Check for unsupported addons',
  plan: ({ local }, unsupported) => on(local, refuseUnsupported(unsupported)),
});

export const checkChanges = defineTask({
  name: 'check-changes',
  title: 'Check for unsupported changes to the cluster file',
  plan: ({ cluster, hosts }) => chain(allNodes(hosts), [refuseChanges(cluster), refuseExistingEtcdData(cluster)]),
});
