import type { Cluster, NetworkPlugin } from '../../config/model/cluster.ts';
import { chain } from '../../plan/fragment.ts';
import type { Fetched } from '../../step/kubernetes-object/catalog-manifest.ts';
import { installHelm } from '../../step/kubernetes-object/helm.ts';
import { applyCalico } from '../../step/network/calico.ts';
import { installCilium } from '../../step/network/cilium.ts';
import { applyFlannel } from '../../step/network/flannel.ts';
import { installKubeOvn } from '../../step/network/kube-ovn.ts';
import { applyMultus } from '../../step/network/multus.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import type { Step } from '../../step/contract/step.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** A network plugin, what may stand beside it, and what both are made from. */
export interface CniInput {
  readonly plugin: NetworkPlugin;
  readonly multus: boolean;
  readonly fetched: Fetched;
}

export const installCni = defineTask<CniInput>({
  name: 'install-cni',
  title: 'Let pods of all nodes reach each other',
  plan: ({ cluster, hosts }, { plugin, multus, fetched }) => {
    const steps = [...stepsFor(cluster, plugin, fetched), ...(multus ? [applyMultus(fetched)] : [])];
    return chain(firstMaster(hosts), steps);
  },
});

function stepsFor(cluster: Cluster, plugin: NetworkPlugin, fetched: Fetched): readonly Step[] {
  switch (plugin.type) {
    case 'calico':
      return [applyCalico(cluster, plugin, fetched)];
    case 'flannel':
      return [applyFlannel(cluster, plugin, fetched)];
    case 'cilium':
      return [installHelm(fetched), installCilium(cluster, plugin, fetched), clearStaging];
    case 'kube-ovn':
      return [installHelm(fetched), installKubeOvn(cluster, plugin, fetched), clearStaging];
    case 'none':
      return [];
  }
}
