import { empty, sequence } from '../plan/fragment.ts';
import { connectEtcd, generateEtcdPki, installEtcd, uninstallEtcd } from '../task/etcd.ts';
import { defineModule, type Module } from './module.ts';

export const installEtcdModule = defineModule({
  name: 'etcd',
  title: 'Install etcd',
  installs: ['etcd'],
  plan: ({ cluster: { etcd }, task }) => {
    switch (etcd.type) {
      case 'kubexm':
        return sequence(task(generateEtcdPki), task(installEtcd, etcd));
      case 'external':
        return task(connectEtcd, etcd);
      case 'kubeadm':
        return empty;
    }
  },
});

/** Whether the data of etcd is kept on the hosts. */
export interface UninstallEtcdOptions {
  readonly preserveData: boolean;
}

export const uninstallEtcdModule = ({ preserveData }: UninstallEtcdOptions): Module =>
  defineModule({
    name: 'etcd',
    title: 'Uninstall etcd',
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
