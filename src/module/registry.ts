import { empty, sequence } from '../plan/fragment.ts';
import { installRegistry, uninstallRegistry, type UninstallRegistryInput } from '../task/registry/distribution.ts';
import { checkRegistry } from '../task/registry/external.ts';
import { installHarbor, uninstallHarbor } from '../task/registry/harbor.ts';
import { defineModule, type Module } from './module.ts';

export const installRegistryModule = defineModule({
  name: 'registry',
  title: 'Install the image registry',
  installs: ['registry'],
  plan: ({ cluster: { registry }, task }) => {
    switch (registry.type) {
      case 'registry':
        return task(installRegistry, registry);
      case 'harbor':
        return task(installHarbor, registry);
      case 'external':
        return task(checkRegistry, registry);
      case 'none':
        return empty;
    }
  },
});

/** Uninstalls both registry types, because an earlier cluster file may have selected the other one. */
export const uninstallRegistryModule = (input: UninstallRegistryInput): Module =>
  defineModule({
    name: 'registry',
    title: 'Uninstall the image registry',
    plan: ({ task }) => sequence(task(uninstallHarbor, input), task(uninstallRegistry, input)),
  });
