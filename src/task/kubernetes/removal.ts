import type { ClusterHost } from '../../config/model/cluster.ts';
import { on } from '../../plan/fragment.ts';
import { removeMembers } from '../../step/etcd/remove-member.ts';
import { admitNodes, barNodes } from '../../step/kubernetes/bar-node.ts';
import { removeNodes } from '../../step/kubernetes/remove-node.ts';
import { stopControlPlane } from '../../step/kubernetes/stop-control-plane.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

/** Runs on masters that leave, while their etcd members still run. */
export const stopControlPlanes = defineTask({
  name: 'stop-control-plane',
  title: 'Stop the control plane on the masters that leave',
  plan: ({ cluster, hosts }) => on(hosts.withRole('master'), stopControlPlane(cluster)),
});

/** The hosts whose members are removed, as in the cluster before. Runs on the hosts of the scope, one of which has a member. */
export const removeEtcdMembers = defineTask<readonly ClusterHost[]>({
  name: 'remove-etcd-members',
  title: 'Remove the etcd members',
  plan: ({ cluster, hosts }, leaving) => on(hosts.all, removeMembers(cluster, leaving)),
});

export const revokeAccess = defineTask<readonly string[]>({
  name: 'revoke-node-access',
  title: 'Revoke the access of the nodes that leave',
  plan: ({ hosts }, nodes) => on(firstMaster(hosts), barNodes(nodes)),
});

export const deleteNodeObjects = defineTask<readonly string[]>({
  name: 'delete-node-objects',
  title: 'Delete the Node objects',
  plan: ({ hosts }, nodes) => on(firstMaster(hosts), removeNodes(nodes)),
});

export const restoreAccess = defineTask<readonly string[]>({
  name: 'restore-node-access',
  title: 'Remove the access policies of reset hosts',
  plan: ({ hosts }, nodes) => on(firstMaster(hosts), admitNodes(nodes)),
});
