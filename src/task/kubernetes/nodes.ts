import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { chain, empty, on, parallel } from '../../plan/fragment.ts';
import { awaitNode } from '../../step/kubernetes/await-node.ts';
import { stackedMembers } from '../../step/etcd/stacked-members.ts';
import { setNodeLabelsAndTaints } from '../../step/kubernetes/node-labels-taints.ts';
import { restartStaleKubeProxy } from '../../step/kubernetes/restart-kube-proxy.ts';
import { approveServingRenewals } from '../../step/kubernetes/serving-certificate.ts';
import { removeSuperAdmin } from '../../step/kubernetes/super-admin.ts';
import { verifyJoin } from '../../step/kubernetes/verify-join.ts';
import { allNodes, firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

/** How the nodes of a cluster run. */
export interface SetUpNodesInput {
  /** Nodes without a network plugin never become ready. */
  readonly hasNetwork: boolean;
  /** kube-proxy runs as a Pod. */
  readonly proxyPods: boolean;
}

export const setUpNodes = defineTask<SetUpNodesInput>({
  name: 'set-up-nodes',
  title: 'Set roles, labels and taints, and wait until the nodes are ready',
  plan: ({ cluster, hosts }, { hasNetwork, proxyPods }) => {
    const first = firstMaster(hosts);
    return parallel(
      chain(allNodes(hosts), [
        setNodeLabelsAndTaints(cluster, first),
        ...(proxyPods ? [restartStaleKubeProxy(cluster)] : []),
        ...(hasNetwork ? [awaitNode(first)] : []),
      ]),
      on(hosts.withRole('master'), removeSuperAdmin),
      kubeletServing(cluster) === 'csr' ? on(first, approveServingRenewals(cluster)) : empty,
    );
  },
});

/** A host that died while it joined cannot be rolled back, so its traces in the cluster are removed. */
export const verifyJoinedNodes = defineTask({
  name: 'verify-join',
  title: 'Check that the new nodes have joined',
  plan: ({ cluster, hosts }) => {
    const nodes = allNodes(hosts);
    return nodes.length === 0
      ? empty
      : on(firstMaster(hosts), verifyJoin({ cluster, nodes, members: stackedMembers(cluster) }));
  },
});
