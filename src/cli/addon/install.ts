import { defineCommand } from '../command.ts';
import { enterOffline, offlineOptions } from '../offline/options.ts';
import { runOptions } from '../run/options.ts';
import { addonNames } from './names.ts';

export const addonInstall = defineCommand({
  path: 'addon install',
  summary: 'Install addons on a cluster',
  description:
    'By name: those of the file as they stand there, others as the catalog has them; all of the file without a name. What is there already is only looked at.',
  args: [addonNames],
  options: { ...runOptions, ...offlineOptions },
  examples: [
    { command: 'kubexm addon install metrics-server -f cluster.yaml', does: 'One of the catalog' },
    { command: 'kubexm addon install -f cluster.yaml --dry-run', does: 'What of the file is missing?' },
  ],
  async run({ args: names, ...call }) {
    const { runPipeline } = await import('../run/pipeline.ts');
    const { installAddonsWith } = await import('../../pipeline/addon/install.ts');
    const { chooseAddons } = await import('../../runtime/choose-addons.ts');
    const { findAssets } = await import('../../runtime/find-assets.ts');
    return runPipeline(call, {
      pipeline: async ({ cluster: told, place: { workdir } }) => {
        const offline = await enterOffline(call.options, call.console);
        const { addons, cluster } = chooseAddons(told, names);
        const assetsFor = findAssets(cluster, { workdir, offline, families: { addon: ['addons'] } });
        return (found) => installAddonsWith({ addons, assets: assetsFor(found) });
      },
      command: 'addon install',
    });
  },
});
