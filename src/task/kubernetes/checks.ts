import { chain, empty, on, parallel } from '../../plan/fragment.ts';
import { readAppliedMembers } from '../../step/state/applied-members.ts';
import { refuseChanges } from '../../step/kubernetes/refuse-changes.ts';
import { refuseForeignNode } from '../../step/kubernetes/foreign-node.ts';
import { refuseExistingEtcdData } from '../../step/kubernetes/existing-etcd-data.ts';
import { refuseUnsupported, type Unsupported } from '../../step/kubernetes/refuse-unsupported.ts';
import { refusePoolChanges } from '../../step/network/calico-pools.ts';
import { allNodes, firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

export const checkSupport = defineTask<Unsupported>({
  name: 'check-support',
  title: 'Check for unsupported addons',
  plan: ({ local }, unsupported) => on(local, refuseUnsupported(unsupported)),
});

/** Also refuses hosts that belong to another cluster: joining would reset them. */
export const checkAddition = defineTask({
  name: 'check-addition',
  title: 'Check that the hosts can be added',
  plan: ({ cluster, hosts }) =>
    chain(allNodes(hosts), [
      refuseChanges(cluster, { etcdMembers: 'any' }),
      refuseExistingEtcdData(cluster),
      refuseForeignNode,
    ]),
});

export const checkChanges = defineTask({
  name: 'check-changes',
  title: 'Check for unsupported changes to the cluster file',
  plan: ({ cluster, assets, hosts }) => {
    const { plugin } = cluster.network;
    return parallel(
      chain(allNodes(hosts), [
        refuseChanges(cluster, { etcdMembers: readAppliedMembers(assets.folder) }),
        refuseExistingEtcdData(cluster),
      ]),
      plugin.type === 'calico' ? on(firstMaster(hosts), refusePoolChanges(cluster, plugin)) : empty,
    );
  },
});
