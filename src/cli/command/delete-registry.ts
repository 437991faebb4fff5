import { defineCommand } from '../command.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const deleteRegistryCommand = defineCommand({
  path: 'delete registry',
  summary: 'Delete the image registry of a cluster from its host',
  description:
    'Restores the state from before kubexm first changed the host. Deletes the images, unless --preserve-data is set.',
  options: {
    ...pipelineOptions,
    preserveData: { type: 'flag', summary: 'keep the images on the host' },
  },
  examples: [
    { command: 'kubexm delete registry -f cluster.yaml --dry-run', does: 'Show what would be removed' },
    { command: 'kubexm delete registry -f cluster.yaml --preserve-data', does: 'Keep the images for a later registry' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { deleteRegistryPipeline } = await import('../../pipeline/registry.ts');
    const { confirm } = await import('../confirm.ts');
    const { preserveData } = call.options;
    const images = preserveData ? 'and keep its images' : 'and all its images';
    return runPipeline({ ...call, options: { ...call.options, noRollback: true } }, () => ({
      pipeline: deleteRegistryPipeline({ preserveData }),
      before: ({ name }) => confirm(call, 'delete registry', `Delete the registry of ${name} ${images}?`),
    }));
  },
});
