import { ADDONS } from '../config/data/addons.ts';
import type { ArgumentSpec } from './command.ts';

/** Names of addons that follow a command. */
export const addonNames: ArgumentSpec = {
  name: 'NAME',
  summary: 'addons of the file or of the catalog',
  optional: true,
  rest: true,
  complete: () => Promise.resolve(ADDONS),
};
