import { chain, empty, on } from '../plan/fragment.ts';
import { installHelm } from '../step/kubernetes-object/helm.ts';
import { awaitNetworkManifest } from '../step/network/await.ts';
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

/** Runs when the nodes are ready: the Pods of a network plugin need one. Charts are not waited for: their objects are unknown. */
export const awaitCni = defineTask({
  name: 'await-cni',
  title: 'Wait until the network plugin is ready',
  plan: ({ cluster, assets, hosts }) => {
    const { plugin } = cluster.network;
    switch (plugin.type) {
      case 'calico':
        return on(firstMaster(hosts), awaitNetworkManifest('calico', 'Calico', cluster, assets));
      case 'flannel':
        return on(firstMaster(hosts), awaitNetworkManifest('flannel', 'Flannel', cluster, assets));
      case 'cilium':
      case 'kube-ovn':
      case 'none':
        return empty;
    }
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
