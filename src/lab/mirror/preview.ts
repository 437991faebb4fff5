import { idOf, type Component } from './component.ts';
import { mirrorPaths } from './paths.ts';
import { findRecord, recipeOf } from './records.ts';

/** Describes what `buildMirror` would do. Changes nothing. */
export async function previewMirror(folder: string, components: readonly Component[]): Promise<readonly string[]> {
  const paths = mirrorPaths(folder);
  const actions = await Promise.all(
    components.map(async (component) =>
      (await findRecord(paths, component, recipeOf(component))) ? [] : [`build ${idOf(component)} in ${paths.folder}`],
    ),
  );
  return actions.flat();
}
