import { defineCommand } from '../command.ts';
import { clusterOptions } from '../options/cluster.ts';
import { locateRuns } from '../options/run-history.ts';

export const mergeKubeconfigCommand = defineCommand({
  path: 'config merge-kubeconfig',
  summary: 'Add a cluster to your kubeconfig',
  description:
    'Merges the kubeconfig of the cluster into the first file in KUBECONFIG, or into ~/.kube/config, and makes the cluster the current context. Other contexts are not changed. Fails if a context with the same name belongs to another cluster. `delete cluster` removes the context again.',
  options: { file: clusterOptions.file, clusterName: clusterOptions.clusterName },
  examples: [
    { command: 'kubexm config merge-kubeconfig -c prod', does: 'Add prod; then run kubectl --context prod get nodes' },
    {
      command: 'KUBECONFIG=~/clusters.yaml kubexm config merge-kubeconfig -f cluster.yaml',
      does: 'Add a cluster to a different kubeconfig file',
    },
  ],
  async run({ options, global, console }) {
    const { addToKubeconfig } = await import('../execute/user-contexts.ts');
    const { workdir, cluster } = await locateRuns(options, global);
    await addToKubeconfig({ name: cluster, workdir }, console);
  },
});
