import { empty, sequence } from '../plan/fragment.ts';
import {
  installRegistry,
  requireRegistryLogin,
  uninstallRegistry,
  type InstallRegistryInput,
  type UninstallRegistryInput,
} from '../task/registry/distribution.ts';
import { checkRegistry } from '../task/registry/external.ts';
import { installHarbor, uninstallHarbor } from '../task/registry/harbor.ts';
import { defineModule, type Module } from './module.ts';

/** When a registry of an earlier version, which had no login, requires it. */
export interface InstallRegistryOptions {
  readonly login: InstallRegistryInput['login'];
}

export const installRegistryModule = ({ login }: InstallRegistryOptions): Module =>
  defineModule({
    name: 'registry',
    title: 'Install the image registry',
    installs: ['registry'],
    plan: ({ cluster: { registry }, task }) => {
      switch (registry.type) {
        case 'registry':
          return task(installRegistry, { registry, login });
        case 'harbor':
          return task(installHarbor, registry);
        case 'external':
          return task(checkRegistry, registry);
        case 'none':
          return empty;
      }
    },
  });

/** Ends anonymous access to the registry once all hosts have the password. */
export const requireRegistryLoginModule = defineModule({
  name: 'registry',
  title: 'Require the login to the image registry',
  plan: ({ cluster: { registry }, task }) =>
    registry.type === 'registry' ? task(requireRegistryLogin, registry) : empty,
});

/** Uninstalls both registry types, because an earlier cluster file may have selected the other one. */
export const uninstallRegistryModule = (input: UninstallRegistryInput): Module =>
  defineModule({
    name: 'registry',
    title: 'Uninstall the image registry',
    plan: ({ task }) => sequence(task(uninstallHarbor, input), task(uninstallRegistry, input)),
  });
