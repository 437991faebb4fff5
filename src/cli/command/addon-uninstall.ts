import { defineCommand } from '../command.ts';
import { addonNames } from '../options/addon.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const addonUninstall = defineCommand({
  path: 'addon uninstall',
  summary: 'Uninstall addons from a cluster',
  description:
    'Deletes all objects of an addon. After a storage addon is uninstalled, its volumes can no longer be used. Remove the addon from the cluster file as well; otherwise the next `create cluster` installs it again.',
  args: [
    { name: 'NAME', summary: 'addon to uninstall' },
    { ...addonNames, name: 'NAMES', summary: 'more addons' },
  ],
  options: { ...pipelineOptions, ...offlineOptions },
  examples: [
    { command: 'kubexm addon uninstall metrics-server -f cluster.yaml --dry-run', does: 'Show what would be deleted' },
    { command: 'kubexm addon uninstall metrics-server -f cluster.yaml', does: 'Uninstall an addon' },
  ],
  async run({ args: names, ...call }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { uninstallAddonsPipeline } = await import('../../pipeline/addon.ts');
    const { chooseAddons } = await import('../../runtime/plan/choose-addons.ts');
    const { confirm } = await import('../confirm.ts');
    return runPipeline({ ...call, options: { ...call.options, noRollback: true } }, async ({ cluster }) => {
      const offline = await loadOfflineBundles(call.options, call.console);
      const { addons, cluster: reduced } = chooseAddons(cluster, names);
      return {
        pipeline: uninstallAddonsPipeline(addons),
        assets: { type: 'catalog', offline, cluster: reduced },
        before: ({ name }) =>
          confirm(call, `addon uninstall ${names.join(' ')}`, `Uninstall ${names.join(', ')} from ${name}?`),
      };
    });
  },
});
