import { kubeconfigFile } from '../../common/cluster-files.ts';
import { on } from '../../plan/fragment.ts';
import { fetchKubeconfig as fetchStep } from '../../step/kubernetes/kubeconfig.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** The folder of the cluster on this machine. */
export interface KubeconfigInput {
  readonly folder: string;
}

export const fetchKubeconfig = defineTask<KubeconfigInput>({
  name: 'fetch-kubeconfig',
  title: 'Keep the kubeconfig of the cluster here',
  plan: ({ cluster, hosts, local }, { folder }) =>
    on(local, fetchStep(cluster, { path: kubeconfigFile(folder), first: firstMaster(hosts) })),
});
