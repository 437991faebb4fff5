import { defineCommand } from '../command.ts';
import { addonNames } from '../options/addon.ts';
import { offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const addonUninstall = defineCommand({
  path: 'addon uninstall',
  summary: 'Uninstall addons from a cluster',
  description:
    'Deletes all objects of an addon. Volumes of a storage addon can no longer be used afterwards. Remove the addon from the cluster file as well, or the next `create cluster` installs it again.',
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
    const { uninstallAddonsWith } = await import('../../pipeline/addon/uninstall.ts');
    const { addonPipeline } = await import('../execute/addon-pipeline.ts');
    const { confirm } = await import('../confirm.ts');
    return runPipeline(
      { ...call, options: { ...call.options, noRollback: true } },
      {
        pipeline: addonPipeline(call, names, uninstallAddonsWith),
        command: 'addon uninstall',
        before: ({ name }) =>
          confirm(call, `addon uninstall ${names.join(' ')}`, `Uninstall ${names.join(', ')} from ${name}?`),
      },
    );
  },
});
