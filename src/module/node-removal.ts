import { hasAdmissionPolicies } from '../config/model/security.ts';
import type { ClusterHost } from '../config/model/cluster.ts';
import { empty } from '../plan/fragment.ts';
import {
  deleteNodeObjects,
  removeEtcdMembers,
  restoreAccess,
  revokeAccess,
  stopControlPlanes,
} from '../task/kubernetes/removal.ts';
import { fetchKubeconfig } from '../task/kubernetes/state.ts';
import { defineModule, type Module } from './module.ts';

const kubernetes = 'kubernetes';

/** Removes the etcd members of hosts that leave, through the member on the host of the scope. */
export const removeEtcdMembersModule = (leaving: readonly ClusterHost[]): Module =>
  defineModule({
    name: 'etcd',
    title: 'Remove etcd members',
    plan: ({ task }) => (leaving.length === 0 ? empty : task(removeEtcdMembers, leaving)),
  });

export const stopControlPlaneModule = defineModule({
  name: kubernetes,
  title: 'Stop the control plane',
  plan: ({ task }) => task(stopControlPlanes),
});

/** From now on the API servers reject changes by the nodes; before Kubernetes 1.30 they cannot. */
export const revokeAccessModule = (nodes: readonly string[]): Module =>
  defineModule({
    name: kubernetes,
    title: 'Revoke the access of nodes',
    plan: ({ cluster, task }) =>
      nodes.length === 0 || !hasAdmissionPolicies(cluster) ? empty : task(revokeAccess, nodes),
  });

export const deleteNodeObjectsModule = (nodes: readonly string[]): Module =>
  defineModule({
    name: kubernetes,
    title: 'Delete Node objects',
    plan: ({ task }) => (nodes.length === 0 ? empty : task(deleteNodeObjects, nodes)),
  });

/** Runs when the hosts are reset: they have no credentials any more. */
export const restoreAccessModule = (nodes: readonly string[]): Module =>
  defineModule({
    name: kubernetes,
    title: 'Remove the access policies of reset hosts',
    plan: ({ cluster, task }) =>
      nodes.length === 0 || !hasAdmissionPolicies(cluster) ? empty : task(restoreAccess, nodes),
  });

/** This machine reaches the cluster through the master of the scope. */
export const fetchKubeconfigModule = defineModule({
  name: kubernetes,
  title: 'Update the kubeconfig on this machine',
  plan: ({ task }) => task(fetchKubeconfig),
});
