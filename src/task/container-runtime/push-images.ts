import { empty, on } from '../../plan/fragment.ts';
import type { OwnRegistry } from '../../step/registry/own-registry.ts';
import { pushImages as pushStep } from '../../step/registry/push-images.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

/** The images, and the registry that they go to. */
export interface PushInput {
  readonly registry: OwnRegistry;
  readonly assets: Assets;
}

export const pushImages = defineTask<PushInput>({
  name: 'push-images',
  title: 'Bring the images of the cluster into its registry',
  plan: ({ local }, { registry, assets }) => {
    const { images } = assets.fetch;
    return images.length === 0 ? empty : on(local, pushStep(registry, { ...assets, images }));
  },
});
