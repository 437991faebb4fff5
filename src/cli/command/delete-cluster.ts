import { confirmed } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { runOptions } from '../options/pipeline.ts';

export const deleteClusterCommand = defineCommand({
  path: 'delete cluster',
  summary: 'Remove a cluster and leave its hosts as they were found',
  description: 'Puts back, last first, what kubexm found when it first came to each host.',
  options: {
    ...runOptions,
    preserveData: {
      type: 'flag',
      summary: 'leave images of the registry and the data of etcd on their hosts',
    },
  },
  examples: [
    { command: 'kubexm delete cluster -f cluster.yaml --dry-run', does: 'What would be removed and put back?' },
    { command: 'kubexm delete cluster -f cluster.yaml --yes', does: 'Without a question' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { deleteClusterWith } = await import('../../pipeline/cluster/delete.ts');
    const { confirm } = await import('../confirm.ts');
    const { forgetContext } = await import('../execute/user-contexts.ts');
    const { forgetClusterHere } = await import('../cluster-kubeconfig.ts');
    return runPipeline(
      { ...call, options: { ...call.options, noRollback: true } },
      {
        pipeline: () => deleteClusterWith(call.options),
        command: 'delete cluster',
        leaves: true,
        after: async (cluster, place) => {
          await forgetContext(cluster, place);
          const own = { name: cluster.name, workdir: place.workdir };
          await forgetClusterHere(own, call.options.preserveData, call.console);
        },
        before: ({ name, hosts }) =>
          confirm(
            call.global,
            `Remove the cluster ${name} from ${hosts.length} hosts?`,
            confirmed('delete cluster', call.options),
          ),
      },
    );
  },
});
