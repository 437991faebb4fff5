import { idOf, type Component } from './component.ts';
import { buildCost, startEstimate } from './estimate.ts';
import { mirrorPaths } from './paths.ts';
import { findRecord, recipeOf } from './records.ts';

/** Describes what `buildMirror` would do, and estimates how long it takes. Changes nothing. */
export async function previewMirror(folder: string, components: readonly Component[]): Promise<MirrorPreview> {
  const paths = mirrorPaths(folder);
  const records = await Promise.all(components.map((one) => findRecord(paths, one, recipeOf(one))));
  const missing = components.filter((_, index) => !records[index]);
  return {
    actions: missing.map((component) => `build ${idOf(component)} in ${paths.folder}`),
    seconds: startEstimate(await Promise.all(missing.map(buildCost))).remainingSeconds(),
  };
}

/** The planned work of a build. */
export interface MirrorPreview {
  /** One verb phrase for each missing component. */
  readonly actions: readonly string[];
  readonly seconds: number;
}
