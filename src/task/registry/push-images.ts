import { empty, on } from '../../plan/fragment.ts';
import type { ManagedRegistry } from '../../step/registry/managed-registry.ts';
import { pushImagesTo } from '../../step/registry/push-images.ts';
import { defineTask } from '../task.ts';

export const pushImages = defineTask<ManagedRegistry>({
  name: 'push-images',
  title: 'Push images to the registry',
  needs: { architectures: true, registryLogins: true },
  plan: ({ assets, local }, registry) =>
    assets.downloads.images.length === 0 ? empty : on(local, pushImagesTo(registry, assets)),
});
