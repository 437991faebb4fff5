import type { Addon } from '../config/model/cluster.ts';
import { installAddonsModule, uninstallAddonsModule } from '../module/addon.ts';
import { prepareAssetsModule } from '../module/preflight.ts';
import { sequence } from '../plan/fragment.ts';
import { definePipeline, type Pipeline } from './pipeline.ts';

export const installAddonsPipeline = (addons: readonly Addon[]): Pipeline =>
  definePipeline({
    name: 'addon-install',
    command: 'addon install',
    title: 'Install addons',
    plan: ({ module }) => sequence(module(prepareAssetsModule), module(installAddonsModule(addons))),
  });

export const uninstallAddonsPipeline = (addons: readonly Addon[]): Pipeline =>
  definePipeline({
    name: 'addon-uninstall',
    command: 'addon uninstall',
    title: 'Uninstall addons',
    plan: ({ module }) => sequence(module(prepareAssetsModule), module(uninstallAddonsModule(addons))),
  });
