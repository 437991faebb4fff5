import { sequence } from '../../plan/fragment.ts';
import { uninstallHarbor } from '../../task/registry/uninstall-harbor.ts';
import { uninstallRegistry } from '../../task/registry/uninstall-registry.ts';
import { defineModule, type Module } from '../module.ts';

/** Whether what people put there stays. */
export interface UninstallRegistryOptions {
  readonly preserveData: boolean;
}

/** Whatever the file says now: only what kubexm brought is taken away. */
export const uninstallRegistryModule = (options: UninstallRegistryOptions): Module =>
  defineModule({
    name: 'registry',
    title: 'Remove the registry that we installed',
    plan: ({ task }) => sequence(task(uninstallHarbor, options), task(uninstallRegistry, options)),
  });
