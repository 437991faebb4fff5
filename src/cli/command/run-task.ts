import { defineCommand } from '../command.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const runTask = defineCommand({
  path: 'run task',
  summary: 'Run one task of `create cluster`',
  description: 'Runs all steps of one task, such as prepare-os. Every step changes only what differs.',
  args: [{ name: 'NAME', summary: 'task to run' }],
  options: pipelineOptions,
  examples: [
    { command: 'kubexm run task prepare-os -f cluster.yaml --dry-run', does: 'Show what the task would change' },
    { command: 'kubexm run task prepare-os -f cluster.yaml --nodes role:worker', does: 'Run the task on all workers' },
  ],
  async run({ args: [name = ''], ...call }) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { CREATED } = await import('../../pipeline/cluster/create.ts');
    const { findAssets } = await import('../../runtime/plan/find-assets.ts');
    const { findTask } = await import('../../runtime/plan/find-task.ts');
    return runPipeline(call, {
      pipeline: ({ cluster, location: { workdir } }) => {
        const assetsFor = findAssets(cluster, { workdir, families: CREATED, offline: false });
        return (found) => findTask(cluster, name, { assets: assetsFor(found) });
      },
      task: name,
      command: `run task ${name}`,
    });
  },
});
