import { parse } from 'yaml';
import type { ImageItem } from '../../resource/item.ts';
import { patchObject, recordOf, withAnnotations, withData, type Patch } from '../kubernetes-object/patch.ts';
import { pinnedImage } from '../kubernetes-object/pinned-images.ts';

/** Its class may be the default one, and the pods that make folders run an image that was fetched. */
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

/** A pod in a text. JSON is YAML, too. */
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
