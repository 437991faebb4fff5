import { parallel, sequence } from '../../plan/fragment.ts';
import { bootstrapFirstBinaryMaster } from '../../task/kubernetes/binary/bootstrap-first-master.ts';
import { generateKubeconfigs, generateKubePki } from '../../task/kubernetes/binary/generate-pki.ts';
import { installBinaries } from '../../task/kubernetes/binary/install.ts';
import { joinBinaryMasters, joinBinaryWorkers } from '../../task/kubernetes/binary/join-nodes.ts';
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
    plan: ({ cluster, task }) => {
      switch (cluster.kubernetes.type) {
        case 'kubeadm':
          return task(installKubernetes, assets);
        case 'kubexm':
          return task(installBinaries, assets);
      }
    },
  });

/** A control plane, on the first master. */
export const bootstrapModule = (assets: Assets): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Start the control plane',
    plan: ({ cluster, task }) => {
      switch (cluster.kubernetes.type) {
        case 'kubeadm':
          return sequence(task(bootstrapFirstMaster, assets), task(fetchKubeconfig, assets));
        case 'kubexm':
          return sequence(
            task(generateKubePki, assets),
            task(generateKubeconfigs, assets),
            task(bootstrapFirstBinaryMaster, assets),
            task(fetchKubeconfig, assets),
          );
      }
    },
  });

/** All other nodes. */
export const joinModule = (assets: Assets): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Join the other nodes',
    plan: ({ cluster, task }) => {
      switch (cluster.kubernetes.type) {
        case 'kubeadm':
          return sequence(task(joinMasters), task(joinWorkers));
        case 'kubexm':
          // No master changes who is in etcd.
          return parallel(task(joinBinaryMasters, assets), task(joinBinaryWorkers, assets));
      }
    },
  });

/** What nodes are in the end. */
export const setUpNodesModule: Module = defineModule({
  name: 'kubernetes',
  title: 'Set the nodes up',
  plan: ({ cluster, task }) =>
    task(setUpNodes, {
      network: cluster.network.plugin.type !== 'none',
      proxyPods: cluster.kubernetes.type === 'kubeadm',
    }),
});
