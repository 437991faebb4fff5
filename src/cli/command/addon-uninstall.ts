import { confirmed } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { offlineOptions } from '../options/offline.ts';
import { runOptions } from '../options/pipeline.ts';
import { addonNames } from '../addon-names.ts';

export const addonUninstall = defineCommand({
  path: 'addon uninstall',
  summary: 'Uninstall addons from a cluster',
  description:
    'Removes all that an addon consists of; volumes of a storage that goes can no longer be used. Take it out of the file, too, or the next `create cluster` brings it back.',
  args: [
    { name: 'NAME', summary: 'the addon' },
    { ...addonNames, name: 'NAMES' },
  ],
  options: { ...runOptions, ...offlineOptions },
  examples: [
    { command: 'kubexm addon uninstall metrics-server -f cluster.yaml --dry-run', does: 'What would go?' },
    { command: 'kubexm addon uninstall metrics-server -f cluster.yaml', does: 'Remove it' },
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
          confirm(
            call.global,
            `Remove ${names.join(', ')} from ${name}?`,
            confirmed(`addon uninstall ${names.join(' ')}`, call.options),
          ),
      },
    );
  },
});
