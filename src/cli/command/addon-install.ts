import { defineCommand } from '../command.ts';
import { addonNames } from '../options/addon.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const addonInstall = defineCommand({
  path: 'addon install',
  summary: 'Install addons in a cluster',
  description:
    'Installs the named addons, or all addons in the cluster file. Uses the settings in the cluster file if it lists the addon, otherwise the catalog defaults. Addons that are up to date are not changed.',
  args: [addonNames],
  options: { ...pipelineOptions, ...offlineOptions },
  examples: [
    { command: 'kubexm addon install metrics-server -f cluster.yaml', does: 'Install an addon from the catalog' },
    {
      command: 'kubexm addon install -f cluster.yaml --dry-run',
      does: 'Show which addons in the cluster file are not installed',
    },
  ],
  async run({ args: names, ...call }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { installAddonsPipeline } = await import('../../pipeline/addon.ts');
    const { chooseAddons } = await import('../../runtime/plan/choose-addons.ts');
    return runPipeline(call, async ({ cluster }) => {
      const offline = await loadOfflineBundles(call.options, call.console);
      const { addons, cluster: reduced } = chooseAddons(cluster, names);
      return { pipeline: installAddonsPipeline(addons), assets: { type: 'catalog', offline, cluster: reduced } };
    });
  },
});
