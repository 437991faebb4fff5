import { empty } from '../../plan/fragment.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { checkRegistry } from '../../task/registry/check-registry.ts';
import { installHarbor } from '../../task/registry/install-harbor.ts';
import { installRegistry } from '../../task/registry/install-registry.ts';
import { defineModule, type Module } from '../module.ts';

export const installRegistryModule = (assets: Assets): Module =>
  defineModule({
    name: 'registry',
    title: 'Have a registry for the images of the cluster',
    plan: ({ cluster: { registry }, task }) => {
      switch (registry.type) {
        case 'registry':
          return task(installRegistry, { registry, assets });
        case 'harbor':
          return task(installHarbor, { registry, assets });
        case 'external':
          return task(checkRegistry, { registry, assets });
        case 'none':
          return empty;
      }
    },
  });
