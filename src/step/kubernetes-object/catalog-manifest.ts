import { readFileSync } from 'node:fs';
import type { Assets } from '../../resource/assets.ts';
import { cachedFile } from '../transfer/cached-file.ts';
import { parseManifests, type ObjectSource } from './manifest.ts';
import type { Patch } from './patch.ts';
import { pinImages } from './pinned-images.ts';
import type { StepView } from '../contract/part.ts';

/** Returns the objects of an upstream manifest, with the catalog's images and our patches. */
export function catalogManifest(
  assets: Assets,
  name: string,
  view: StepView,
  patch: Patch = (objects) => objects,
): ObjectSource {
  const file = cachedFile(assets, name, view);
  return async () => {
    const found = await file.find();
    if (!found) return undefined;
    // Small, and read at once, so that the check shares a round trip with the others.
    const objects = parseManifests(readFileSync(found.blob.path, 'utf8'), file.title);
    return patch(pinImages(assets.images)(objects));
  };
}
