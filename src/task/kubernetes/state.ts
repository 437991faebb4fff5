import { kubeconfigFile } from '../../common/cluster-files.ts';
import { on, sequence } from '../../plan/fragment.ts';
import { checkAdminKubeconfig, downloadKubeconfig } from '../../step/kubernetes/kubeconfig.ts';
import { publishState } from '../../step/state/publish.ts';
import { saveLocalState } from '../../step/state/save.ts';
import { checksumNodeFiles } from '../../step/state/checksums.ts';
import { allNodes, firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

export const fetchKubeconfig = defineTask({
  name: 'fetch-kubeconfig',
  title: 'Fetch the kubeconfig',
  plan: ({ cluster, assets: { folder }, hosts, local }) => {
    const first = firstMaster(hosts);
    return sequence(
      on(first, checkAdminKubeconfig),
      on(local, downloadKubeconfig(cluster, { path: kubeconfigFile(folder), folder, first })),
    );
  },
});

export const saveState = defineTask({
  name: 'save-state',
  title: 'Save the applied state, locally and in the cluster',
  plan: ({ cluster, assets: { folder }, hosts, local }) =>
    sequence(
      on(allNodes(hosts), checksumNodeFiles),
      on(local, saveLocalState(cluster, folder, firstMaster(hosts))),
      on(firstMaster(hosts), publishState(folder)),
    ),
});
