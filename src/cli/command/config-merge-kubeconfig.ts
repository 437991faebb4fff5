import { clusterOptions } from '../options/cluster.ts';
import { defineCommand } from '../command.ts';
import { mergeFor } from '../cluster-kubeconfig.ts';
import { runsPlace } from '../options/run-history.ts';

export const mergeKubeconfigCommand = defineCommand({
  path: 'config merge-kubeconfig',
  summary: 'Let kubectl of this user find a cluster, as a context beside the others',
  description:
    'Puts the kubeconfig of the cluster, which is kept in its folder below .kubexm, into the first file of KUBECONFIG or into ~/.kube/config, and makes it the current context. Contexts of others stay, and one of the same name that is not ours is not touched. `delete cluster` takes it out again.',
  options: { file: clusterOptions.file, clusterName: clusterOptions.clusterName },
  examples: [
    { command: 'kubexm config merge-kubeconfig -c prod', does: 'Then kubectl --context prod get nodes' },
    { command: 'KUBECONFIG=~/clusters.yaml kubexm config merge-kubeconfig -f cluster.yaml', does: 'Into another file' },
  ],
  async run({ options, global, console }) {
    const { workdir, cluster } = await runsPlace(options, global);
    await mergeFor({ name: cluster, workdir }, console);
  },
});
