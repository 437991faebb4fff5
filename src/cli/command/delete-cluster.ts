import { defineCommand } from '../command.ts';
import { count } from '../format/text.ts';
import { pipelineOptions } from '../options/pipeline.ts';

export const deleteClusterCommand = defineCommand({
  path: 'delete cluster',
  summary: 'Delete a cluster and restore its hosts to their original state',
  description:
    'Undoes all changes on each host in reverse order and restores the state from before kubexm first changed the host.',
  options: {
    ...pipelineOptions,
    preserveData: {
      type: 'flag',
      summary: 'keep registry images and etcd data on the hosts',
    },
  },
  examples: [
    { command: 'kubexm delete cluster -f cluster.yaml --dry-run', does: 'Show what would be removed and restored' },
    { command: 'kubexm delete cluster -f cluster.yaml --yes', does: 'Delete without confirmation' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { deleteClusterPipeline } = await import('../../pipeline/cluster/delete.ts');
    const { confirm } = await import('../confirm.ts');
    const { dropContext, removeLocalState } = await import('../execute/user-contexts.ts');
    const { preserveData } = call.options;
    return runPipeline({ ...call, options: { ...call.options, noRollback: true } }, () => ({
      pipeline: deleteClusterPipeline({ preserveData }),
      removesCluster: true,
      before: ({ name, hosts }) =>
        confirm(call, 'delete cluster', `Delete cluster ${name} from ${count(hosts.length, 'host')}?`),
      after: async (cluster, location) => {
        await dropContext(cluster, location);
        await removeLocalState({ name: cluster.name, workdir: location.workdir }, preserveData, call.console);
      },
    }));
  },
});
