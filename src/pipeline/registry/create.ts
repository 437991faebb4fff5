import { pushImagesModule } from '../../module/container-runtime/push-images.ts';
import { assetsModule } from '../../module/preflight/assets.ts';
import { installRegistryModule } from '../../module/registry/install.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** Images that are fetched for it are pushed. */
export const createRegistryWith = (assets: Parameters<typeof assetsModule>[0]): Pipeline =>
  definePipeline({
    name: 'create-registry',
    command: 'create registry',
    title: 'Run the image registry of a cluster',
    plan: ({ module }) =>
      sequence(module(assetsModule(assets)), module(installRegistryModule(assets)), module(pushImagesModule(assets))),
  });
