import { empty } from '../../plan/fragment.ts';
import { uninstallHarbor } from '../../task/registry/uninstall-harbor.ts';
import { uninstallRegistry } from '../../task/registry/uninstall-registry.ts';
import { defineModule, type Module } from '../module.ts';

/** Whether what people put there stays. */
export interface UninstallRegistryOptions {
  readonly preserveData: boolean;
}

export const uninstallRegistryModule = ({ preserveData }: UninstallRegistryOptions): Module =>
  defineModule({
    name: 'registry',
    title: 'Remove the registry that we installed',
    plan: ({ cluster: { registry }, task }) => {
      switch (registry.type) {
        case 'registry':
          return task(uninstallRegistry, { registry, preserveData });
        case 'harbor':
          return task(uninstallHarbor, { registry, preserveData });
        case 'external':
        case 'none':
          return empty;
      }
    },
  });
