import { defineCommand } from '../command.ts';
import { offlineOptions } from '../options/offline.ts';
import { runOptions } from '../options/pipeline.ts';
import { addonNames } from '../addon-names.ts';

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
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { installAddonsWith } = await import('../../pipeline/addon/install.ts');
    const { addonPipeline } = await import('../execute/addon-pipeline.ts');
    const pipeline = addonPipeline(call, names, installAddonsWith);
    return runPipeline(call, { pipeline, command: 'addon install' });
  },
});
