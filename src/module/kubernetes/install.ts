import { empty, sequence } from '../../plan/fragment.ts';
import { bootstrapFirstMaster } from '../../task/kubernetes/bootstrap-first-master.ts';
import { fetchKubeconfig } from '../../task/kubernetes/fetch-kubeconfig.ts';
import { installKubernetes } from '../../task/kubernetes/install-kubernetes.ts';
import { joinMasters } from '../../task/kubernetes/join-masters.ts';
import { joinWorkers } from '../../task/kubernetes/join-workers.ts';
import { setUpNodes } from '../../task/kubernetes/set-up-nodes.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

/** The programs of Kubernetes on every node. */
export const installKubernetesModule = (assets: Assets): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Install Kubernetes',
    plan: ({ cluster, task }) => (cluster.kubernetes.type === 'kubeadm' ? task(installKubernetes, assets) : empty),
  });

/** A control plane, on the first master. */
export const bootstrapModule = (assets: Assets): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Start the control plane',
    plan: ({ cluster, task }) =>
      cluster.kubernetes.type === 'kubeadm'
        ? sequence(task(bootstrapFirstMaster, assets), task(fetchKubeconfig, assets))
        : empty,
  });

/** All other nodes. */
export const joinModule: Module = defineModule({
  name: 'kubernetes',
  title: 'Join the other nodes',
  plan: ({ cluster, task }) =>
    cluster.kubernetes.type === 'kubeadm' ? sequence(task(joinMasters), task(joinWorkers)) : empty,
});

/** What nodes are in the end. */
export const setUpNodesModule: Module = defineModule({
  name: 'kubernetes',
  title: 'Set the nodes up',
  plan: ({ cluster, task }) =>
    cluster.kubernetes.type === 'kubeadm'
      ? task(setUpNodes, { network: cluster.network.plugin.type !== 'none' })
      : empty,
});
