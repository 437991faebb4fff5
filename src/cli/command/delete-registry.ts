import { confirmed } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { runOptions } from '../options/pipeline.ts';

export const deleteRegistryCommand = defineCommand({
  path: 'delete registry',
  summary: 'Remove the image registry of a cluster from its host',
  description:
    'Puts back what kubexm found when it first came to the host. Images that were not there before go, unless they are to be kept.',
  options: {
    ...runOptions,
    preserveData: { type: 'flag', summary: 'leave its images on the host' },
  },
  examples: [
    { command: 'kubexm delete registry -f cluster.yaml --dry-run', does: 'What would be removed?' },
    { command: 'kubexm delete registry -f cluster.yaml --preserve-data', does: 'Keep the images for a later one' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { deleteRegistryWith } = await import('../../pipeline/registry/delete.ts');
    const { confirm } = await import('../confirm.ts');
    const { preserveData } = call.options;
    const images = preserveData ? 'and keep its images' : 'and all its images';
    return runPipeline(
      { ...call, options: { ...call.options, noRollback: true } },
      {
        pipeline: () => deleteRegistryWith({ preserveData }),
        command: 'delete registry',
        before: ({ name }) =>
          confirm(call.global, `Remove the registry of ${name} ${images}?`, confirmed('delete registry', call.options)),
      },
    );
  },
});
