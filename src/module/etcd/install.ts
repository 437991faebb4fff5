import { empty, sequence } from '../../plan/fragment.ts';
import { connectEtcd } from '../../task/etcd/connect.ts';
import { generateEtcdPki } from '../../task/etcd/generate-pki.ts';
import { installEtcd } from '../../task/etcd/install.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const installEtcdModule = (assets: Assets): Module =>
  defineModule({
    name: 'etcd',
    title: 'Have an etcd that keeps the state of the cluster',
    plan: ({ cluster: { etcd }, task }) => {
      switch (etcd.type) {
        case 'kubexm':
          return sequence(task(generateEtcdPki, assets), task(installEtcd, { etcd, assets }));
        case 'external':
          return task(connectEtcd, etcd);
        case 'kubeadm':
          return empty;
      }
    },
  });
