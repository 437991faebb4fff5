import { installContainerd } from '../../task/container-runtime/install-containerd.ts';
import { installCrio } from '../../task/container-runtime/install-crio.ts';
import { installDocker } from '../../task/container-runtime/install-docker.ts';
import { installIsulad } from '../../task/container-runtime/install-isulad.ts';
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
          return task(installDocker, assets);
        case 'cri-o':
          return task(installCrio, assets);
        case 'isulad':
          return task(installIsulad, assets);
      }
    },
  });
