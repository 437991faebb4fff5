import { uninstallChosenModule } from '../../module/addon/chosen.ts';
import { assetsModule } from '../../module/preflight/assets.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';
import type { ChosenAddons } from './install.ts';

/** What an addon consists of is only known from what it was made from. */
export const uninstallAddonsWith = (chosen: ChosenAddons): Pipeline =>
  definePipeline({
    name: 'addon-uninstall',
    command: 'addon uninstall',
    title: 'Uninstall addons',
    plan: ({ module }) => sequence(module(assetsModule(chosen.assets)), module(uninstallChosenModule(chosen))),
  });
