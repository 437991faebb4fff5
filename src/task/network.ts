import { chain } from '../plan/fragment.ts';
import { installHelm } from '../step/kubernetes-object/helm.ts';
import { applyCalico } from '../step/network/calico.ts';
import { installCilium } from '../step/network/cilium.ts';
import { applyFlannel } from '../step/network/flannel.ts';
import { installKubeOvn } from '../step/network/kube-ovn.ts';
import { applyMultus } from '../step/network/multus.ts';
import { clearStaging } from '../step/transfer/staging.ts';
import type { Step } from '../step/contract/step.ts';
import { firstMaster } from './host-groups.ts';
import { defineTask, type TaskContext } from './task.ts';

export const installCni = defineTask({
  name: 'install-cni',
  title: 'Install the network plugin',
  plan: (ctx) => {
    const { multus } = ctx.cluster.network;
    return chain(firstMaster(ctx.hosts), [...pluginSteps(ctx), ...(multus ? [applyMultus(ctx.assets)] : [])]);
  },
});

function pluginSteps({ cluster, assets }: TaskContext): readonly Step[] {
  const { plugin } = cluster.network;
  switch (plugin.type) {
    case 'calico':
      return [applyCalico(cluster, plugin, assets)];
    case 'flannel':
      return [applyFlannel(cluster, plugin, assets)];
    case 'cilium':
      return [installHelm(assets), installCilium(cluster, plugin, assets), clearStaging];
    case 'kube-ovn':
      return [installHelm(assets), installKubeOvn(cluster, plugin, assets), clearStaging];
    case 'none':
      return [];
  }
}
