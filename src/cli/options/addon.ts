import { ADDONS } from '../../config/data/addons.ts';
import type { ArgumentSpec } from '../command.ts';

/** The arguments for addons to install or uninstall. */
export const addonNames: ArgumentSpec = {
  name: 'NAME',
  summary: 'addons from the cluster file or the catalog',
  optional: true,
  rest: true,
  complete: () => Promise.resolve(ADDONS),
};
