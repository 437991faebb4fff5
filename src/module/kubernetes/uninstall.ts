import { sequence } from '../../plan/fragment.ts';
import { resetBinaryNodes } from '../../task/kubernetes/binary/reset-node.ts';
import { uninstallBinaries } from '../../task/kubernetes/binary/uninstall.ts';
import { resetNodes } from '../../task/kubernetes/reset-node.ts';
import { uninstallKubernetes } from '../../task/kubernetes/uninstall-kubernetes.ts';
import { defineModule, type Module } from '../module.ts';

/** Whether the data of an etcd that kubeadm runs stay. */
export interface UninstallKubernetesOptions {
  readonly preserveData: boolean;
}

export const uninstallKubernetesModule = (options: UninstallKubernetesOptions): Module =>
  defineModule({
    name: 'kubernetes',
    title: 'Take Kubernetes from the hosts',
    plan: ({ cluster, task }) => {
      switch (cluster.kubernetes.type) {
        case 'kubeadm':
          return sequence(task(resetNodes, options), task(uninstallKubernetes, options));
        case 'kubexm':
          return sequence(task(resetBinaryNodes, options), task(uninstallBinaries, options));
      }
    },
  });
