import { idOf, type Component } from './component.ts';
import { findPresent, recipeOf } from './present.ts';
import { mirrorPaths } from './paths.ts';

/** What `buildMirror` would do, in sentences; looks only. */
export async function previewMirror(folder: string, components: readonly Component[]): Promise<readonly string[]> {
  const paths = mirrorPaths(folder);
  const acts = await Promise.all(
    components.map(async (component) =>
      (await findPresent(paths, component, recipeOf(component))) ? [] : [`make ${idOf(component)} in ${paths.folder}`],
    ),
  );
  return acts.flat();
}
