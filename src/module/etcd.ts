import { empty, sequence } from '../plan/fragment.ts';
import {
  addEtcdMembers,
  connectEtcd,
  generateEtcdPki,
  installEtcd,
  uninstallEtcd,
  uploadEtcdClient,
} from '../task/etcd.ts';
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

/** Adds members to a running etcd through the member on a host, one after another. */
export const addEtcdMembersModule = (through: string): Module =>
  defineModule({
    name: 'etcd',
    title: 'Add etcd members',
    installs: ['etcd'],
    plan: ({ cluster: { etcd }, task }) => {
      switch (etcd.type) {
        case 'kubexm':
          return sequence(task(generateEtcdPki), task(addEtcdMembers, { etcd, through }));
        case 'external':
        case 'kubeadm':
          return empty;
      }
    },
  });

/** Gives new masters access to an etcd that kubeadm does not run. */
export const connectToEtcdModule = defineModule({
  name: 'etcd',
  title: 'Connect the new masters to etcd',
  plan: ({ cluster: { etcd }, task }) => {
    switch (etcd.type) {
      case 'kubexm':
        return task(uploadEtcdClient);
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
