import { chain, on, parallel } from '../../plan/fragment.ts';
import { awaitNode } from '../../step/kubernetes/await-node.ts';
import { setUpNode } from '../../step/kubernetes/node-settings.ts';
import { settleProxy } from '../../step/kubernetes/settle-proxy.ts';
import { removeSuperAdmin } from '../../step/kubernetes/super-admin.ts';
import { firstMaster, nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** What nodes have. */
export interface SetUpInput {
  /** Without one they are never ready. */
  readonly network: boolean;
  /** kube-proxy runs as a pod. */
  readonly proxyPods: boolean;
}

export const setUpNodes = defineTask<SetUpInput>({
  name: 'set-up-nodes',
  title: 'Give nodes their roles, labels and taints, and see that they are ready',
  plan: ({ cluster, hosts }, { network, proxyPods }) => {
    const first = firstMaster(hosts);
    const settled = [...(proxyPods ? [settleProxy(cluster)] : []), ...(network ? [awaitNode(first)] : [])];
    return parallel(
      chain(nodesAmong(hosts), [setUpNode(cluster, first), ...settled]),
      on(hosts.withRole('master'), removeSuperAdmin),
    );
  },
});
