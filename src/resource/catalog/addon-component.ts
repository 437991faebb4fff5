import type { AddonName } from '../../config/data/addons.ts';
import { addonRecipes } from './addon-recipes.ts';
import { NODES, type Component } from './component.ts';

/** An addon that is known by its name. */
export const addonComponent = (name: AddonName): Component => ({
  ...addonRecipes[name],
  name,
  roles: NODES,
  folder: `addons/${name}`,
});
