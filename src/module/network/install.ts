import { empty } from '../../plan/fragment.ts';
import { installFlannel } from '../../task/network/install-cni.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const installNetwork = (assets: Assets): Module =>
  defineModule({
    name: 'network',
    title: 'Let pods reach each other',
    plan: ({ cluster, task }) => {
      const { plugin } = cluster.network;
      switch (plugin.type) {
        case 'flannel':
          return task(installFlannel, { plugin, programs: assets });
        case 'calico':
        case 'cilium':
        case 'kube-ovn':
        case 'none':
          return empty;
      }
    },
  });
