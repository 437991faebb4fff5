import type { ImageItem } from '../../resource/item.ts';
import { mapContainers, type Patch } from './patch.ts';

/**
 * Makes containers use the images of the catalog instead of the tag and registry in the manifest: some upstream releases
 * use moving tags.
 */
export const pinImages =
  (images: readonly ImageItem[]): Patch =>
  (objects) =>
    objects.map((object) =>
      mapContainers(object, (container) =>
        container.image === undefined ? container : { ...container, image: pinnedImage(images, container.image) },
      ),
    );

/** The catalog image with the same repository path; the image itself if there is none. */
export const pinnedImage = (images: readonly ImageItem[], ref: string): string =>
  images.find((image) => pathOf(image.ref) === pathOf(ref))?.ref ?? ref;

/** "docker.io/calico/node:v3.28.2" and "quay.io/calico/node" have the path calico/node. */
function pathOf(ref: string): string {
  const parts = ref
    .replace(/@.*$/, '')
    .replace(/:[^:/]*$/, '')
    .split('/');
  const [first = ''] = parts;
  const path = parts.length > 1 && /[.:]|^localhost$/.test(first) ? parts.slice(1) : parts;
  return (path[0] === 'library' ? path.slice(1) : path).join('/');
}
