import { defineCommand } from '../command.ts';
import { runOptions } from '../options/pipeline.ts';

export const runTask = defineCommand({
  path: 'run task',
  summary: 'Run one task of a cluster on its hosts',
  description:
    'Runs one task, such as prepare-os, with all its steps: each looks first and changes only what is not as it should be.',
  args: [{ name: 'NAME', summary: 'the task' }],
  options: runOptions,
  examples: [
    { command: 'kubexm run task prepare-os -f cluster.yaml --dry-run', does: 'What would it change?' },
    { command: 'kubexm run task prepare-os -f cluster.yaml --nodes role:worker', does: 'On some hosts' },
  ],
  async run({ args: [name = ''], ...call }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { CREATED } = await import('../../pipeline/cluster/create.ts');
    const { findAssets } = await import('../../runtime/plan/find-assets.ts');
    const { findTask } = await import('../../runtime/plan/find-task.ts');
    return runPipeline(call, {
      pipeline: ({ cluster, place: { workdir } }) => {
        const assetsFor = findAssets(cluster, { workdir, families: CREATED, offline: false });
        return (found) => findTask(cluster, name, { assets: assetsFor(found) });
      },
      task: name,
      command: `run task ${name}`,
    });
  },
});
