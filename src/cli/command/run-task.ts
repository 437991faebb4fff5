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
    const { findTask } = await import('../../runtime/plan/find-task.ts');
    return runPipeline(call, ({ cluster, location: { workdir } }) => ({
      pipeline: findTask(cluster, name, workdir),
      assets: { type: 'catalog', offline: false },
      task: name,
    }));
  },
});
