import { chain, on, sequence } from '../../plan/fragment.ts';
import { awaitNode } from '../../step/kubernetes/await-node.ts';
import { setUpNode } from '../../step/kubernetes/node-settings.ts';
import { settleProxy } from '../../step/kubernetes/settle-proxy.ts';
import { removeSuperAdmin } from '../../step/kubernetes/super-admin.ts';
import { firstMaster, nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** Whether nodes have a network, without which they are never ready. */
export interface SetUpInput {
  readonly network: boolean;
}

export const setUpNodes = defineTask<SetUpInput>({
  name: 'set-up-nodes',
  title: 'Give nodes their roles, labels and taints, and see that they are ready',
  plan: ({ cluster, hosts }, { network }) => {
    const first = firstMaster(hosts);
    const ready = network ? [awaitNode(first)] : [];
    return sequence(
      chain(nodesAmong(hosts), [setUpNode(cluster, first), settleProxy(cluster), ...ready]),
      on(hosts.withRole('master'), removeSuperAdmin),
    );
  },
});
