import { fail } from '../../common/errors.ts';
import { installContainerd } from '../../task/container-runtime/install-containerd.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const installRuntime = (assets: Assets): Module =>
  defineModule({
    name: 'container-runtime',
    title: 'Let hosts run containers',
    plan: ({ cluster, task }) => {
      const { type } = cluster.kubernetes.containerRuntime;
      switch (type) {
        case 'containerd':
          return task(installContainerd, assets);
        case 'docker':
        case 'cri-o':
        case 'isulad':
          throw fail('RUNTIME_NOT_BUILT', { type, known: 'containerd' });
      }
    },
  });
