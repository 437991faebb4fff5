import { FAMILIES } from '../common/component-family.ts';
import { pushImagesModule } from '../module/container-runtime.ts';
import { prepareAssetsModule } from '../module/preflight.ts';
import { installRegistryModule, uninstallRegistryModule } from '../module/registry.ts';
import { sequence } from '../plan/fragment.ts';
import { definePipeline, type Pipeline } from './pipeline.ts';

/** Options of `create registry`. */
export interface CreateRegistryOptions {
  /** Pushes the images of the whole cluster. */
  readonly push: boolean;
}

export const createRegistryPipeline = ({ push }: CreateRegistryOptions): Pipeline =>
  definePipeline({
    name: 'create-registry',
    command: 'create registry',
    title: 'Create the image registry of a cluster',
    plan: ({ module }) =>
      sequence(
        module(prepareAssetsModule),
        module(installRegistryModule({ login: 'now' })),
        module(pushImagesModule(push ? FAMILIES : [])),
      ),
  });

/** Options of `delete registry`. */
export interface DeleteRegistryOptions {
  /** Keeps the images on the host. */
  readonly preserveData: boolean;
}

export const deleteRegistryPipeline = (options: DeleteRegistryOptions): Pipeline =>
  definePipeline({
    name: 'delete-registry',
    command: 'delete registry',
    title: 'Delete the image registry of a cluster',
    plan: ({ module }) => module(uninstallRegistryModule(options)),
  });
