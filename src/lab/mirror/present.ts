import { createHash } from 'node:crypto';
import { idOf, type Component } from './component.ts';
import type { MirrorPaths } from './paths.ts';
import { isWhole, readRecords, type MirrorRecord } from './records.ts';

/** The record of a component that is in the mirror, made in this very way and whole. */
export async function findPresent(
  paths: MirrorPaths,
  component: Component,
  recipe: string,
): Promise<MirrorRecord | undefined> {
  const found = (await readRecords(paths)).find((one) => idOf(one) === idOf(component) && one.recipe === recipe);
  return found && (await isWhole(paths, found)) ? found : undefined;
}

export const recipeOf = (component: Component) => createHash('sha256').update(JSON.stringify(component)).digest('hex');
