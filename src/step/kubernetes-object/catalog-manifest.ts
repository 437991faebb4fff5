import { readFile } from 'node:fs/promises';
import type { ImageItem } from '../../resource/item.ts';
import { cachedFile } from '../transfer/cached-file.ts';
import type { Programs } from '../transfer/install-program.ts';
import { parseManifests, type ObjectSource } from './manifest.ts';
import type { Patch } from './patch.ts';
import { pinImages } from './pinned-images.ts';
import type { StepView } from '../contract/step.ts';

/** Files and images that were fetched for a cluster. */
export interface Fetched extends Programs {
  readonly images: readonly ImageItem[];
}

/** The objects of a manifest of the makers, with the images of the catalog and what we change of it. */
export function catalogManifest(
  fetched: Fetched,
  name: string,
  view: StepView,
  patch: Patch = (objects) => objects,
): ObjectSource {
  const file = cachedFile(fetched, name, view);
  return async () => {
    const found = await file.find();
    if (!found) return undefined;
    const objects = parseManifests(await readFile(found.blob.path, 'utf8'), file.title);
    return patch(pinImages(fetched.images)(objects));
  };
}
