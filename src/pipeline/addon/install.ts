import type { Addon } from '../../config/model/cluster.ts';
import { installChosenModule } from '../../module/addon/chosen.ts';
import { assetsModule } from '../../module/preflight/assets.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** Some addons, and what they are made from. */
export interface ChosenAddons {
  readonly addons: readonly Addon[];
  readonly assets: Parameters<typeof assetsModule>[0];
}

export const installAddonsWith = (chosen: ChosenAddons): Pipeline =>
  definePipeline({
    name: 'addon-install',
    command: 'addon install',
    title: 'Install addons',
    plan: ({ module }) => sequence(module(assetsModule(chosen.assets)), module(installChosenModule(chosen))),
  });
