import { askedAddons } from '../../config/model/requested-addons.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { AddonName } from '../../config/data/addons.ts';
import { empty, sequence } from '../../plan/fragment.ts';
import { installAddon, installIngress, installMonitoring, installStorage } from '../../task/addon/install-addons.ts';
import { installCoreDns, setUpCoreDns } from '../../task/addon/install-coredns.ts';
import { installNodeLocalDns } from '../../task/addon/install-nodelocaldns.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

/** What runs on the cluster from the start: names first, then storage, which others may want. */
export const installAddonsModule = (assets: Assets): Module =>
  defineModule({
    name: 'addon',
    title: 'Install what runs on the cluster from the start',
    plan: ({ cluster, task }) => {
      const { storage, ingress, monitoring, others } = groupsOf(cluster);
      return sequence(
        cluster.kubernetes.type === 'kubeadm' ? task(setUpCoreDns) : task(installCoreDns, assets),
        cluster.kubernetes.nodelocaldns ? task(installNodeLocalDns, assets) : empty,
        task(installStorage, { addons: storage, assets }),
        task(installIngress, { addons: ingress, assets }),
        task(installMonitoring, { addons: monitoring, assets }),
        task(installAddon, { addons: others, assets }),
      );
    },
  });

/** By the tasks that install them. */
function groupsOf(cluster: Cluster) {
  const all = askedAddons(cluster).filter(
    // The network module brings it.
    ({ type, name }) => !(type === 'catalog' && name === 'multus' && cluster.network.multus),
  );
  const named = (...names: readonly AddonName[]) =>
    names.flatMap((name) => all.filter((addon) => addon.type === 'catalog' && addon.name === name));
  const storage = named('openebs', 'nfs-client', 'longhorn', 'local-path');
  const ingress = named('ingress-nginx');
  const monitoring = named('metrics-server', 'monitoring');
  const apart = new Set([...storage, ...ingress, ...monitoring]);
  return { storage, ingress, monitoring, others: all.filter((addon) => !apart.has(addon)) };
}
