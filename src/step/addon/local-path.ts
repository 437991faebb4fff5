import { parse } from 'yaml';
import type { ImageItem } from '../../resource/item.ts';
import { patchObject, recordOf, withAnnotations, withData, type Patch } from '../kubernetes-object/patch.ts';
import { pinnedImage } from '../kubernetes-object/pinned-images.ts';

/** Sets whether its StorageClass is the default, and pins the image of its helper Pods. */
export const localPathPatch =
  (images: readonly ImageItem[], isDefault: boolean): Patch =>
  (objects) =>
    [
      patchObject('StorageClass local-path', (object) =>
        withAnnotations(object, { 'storageclass.kubernetes.io/is-default-class': String(isDefault) }),
      ),
      patchObject('ConfigMap local-path-storage/local-path-config', (object) => {
        const { 'helperPod.yaml': text } = recordOf(object['data']);
        return typeof text === 'string' ? withData(object, { 'helperPod.yaml': helperPod(text, images) }) : object;
      }),
    ].reduce((list, patch) => patch(list), objects);

/** Pins the images of the helper Pod manifest. Prints JSON, which is valid YAML. */
function helperPod(text: string, images: readonly ImageItem[]): string {
  const pod = recordOf(parse(text));
  const spec = recordOf(pod['spec']);
  const containers = Array.isArray(spec['containers']) ? spec['containers'].map(recordOf) : [];
  const pinned = containers.map((container) => ({
    ...container,
    ...(typeof container['image'] === 'string' && { image: pinnedImage(images, container['image']) }),
  }));
  return `${JSON.stringify({ ...pod, spec: { ...spec, containers: pinned } }, null, 2)}\n`;
}
