import { uninstallRegistryModule, type UninstallRegistryOptions } from '../../module/registry/uninstall.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

export const deleteRegistryWith = (options: UninstallRegistryOptions): Pipeline =>
  definePipeline({
    name: 'delete-registry',
    command: 'delete registry',
    title: 'Remove the image registry of a cluster',
    plan: ({ module }) => module(uninstallRegistryModule(options)),
  });
