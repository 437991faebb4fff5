import { empty } from '../../plan/fragment.ts';
import { uninstallEtcd } from '../../task/etcd/uninstall.ts';
import { defineModule, type Module } from '../module.ts';

/** Whether the state of the cluster stays on the hosts. */
export interface UninstallEtcdOptions {
  readonly preserveData: boolean;
}

export const uninstallEtcdModule = ({ preserveData }: UninstallEtcdOptions): Module =>
  defineModule({
    name: 'etcd',
    title: 'Remove the etcd that we installed',
    plan: ({ cluster: { etcd }, task }) => {
      switch (etcd.type) {
        case 'kubexm':
        case 'external':
          return task(uninstallEtcd, { etcd, preserveData });
        case 'kubeadm':
          return empty;
      }
    },
  });
