import type { AddonName } from '../config/data/addons.ts';
import { requestedAddons } from '../config/model/addons.ts';
import type { Addon, Cluster } from '../config/model/cluster.ts';
import { empty, sequence } from '../plan/fragment.ts';
import {
  installAddons,
  installIngress,
  installMonitoring,
  installStorage,
  uninstallAddons,
  uninstallHelm,
} from '../task/addon/addons.ts';
import { configureCoreDns, installCoreDns, installNodeLocalDns } from '../task/addon/dns.ts';
import { defineModule, type Module } from './module.ts';

const name = 'addon';

/** Installs all addons of the cluster file: DNS first, then storage, which other addons may need. */
export const installClusterAddonsModule = defineModule({
  name,
  title: 'Install the addons of the cluster',
  // The DNS images belong to Kubernetes.
  installs: ['addons', 'kubernetes'],
  plan: ({ cluster, task }) => {
    const { storage, ingress, monitoring, others } = groupsOf(cluster);
    return sequence(
      task(cluster.kubernetes.type === 'kubeadm' ? configureCoreDns : installCoreDns),
      cluster.kubernetes.nodelocaldns ? task(installNodeLocalDns) : empty,
      task(installStorage, storage),
      task(installIngress, ingress),
      task(installMonitoring, monitoring),
      task(installAddons, others),
    );
  },
});

/** Spreads CoreDNS over the nodes when a single node gets company. */
export const updateDnsModule = defineModule({
  name,
  title: 'Update CoreDNS',
  plan: ({ cluster, task }) => task(cluster.kubernetes.type === 'kubeadm' ? configureCoreDns : installCoreDns),
});

/** The addons by the task that installs them. */
function groupsOf(cluster: Cluster) {
  const all = requestedAddons(cluster).filter(
    // The network module installs it.
    (addon) => !(addon.type === 'catalog' && addon.name === 'multus' && cluster.network.multus),
  );
  const named = (...names: readonly AddonName[]) =>
    names.flatMap((each) => all.filter((addon) => addon.type === 'catalog' && addon.name === each));
  const storage = named('openebs', 'nfs-client', 'longhorn', 'local-path');
  const ingress = named('ingress-nginx');
  const monitoring = named('metrics-server', 'monitoring');
  const grouped = new Set([...storage, ...ingress, ...monitoring]);
  return { storage, ingress, monitoring, others: all.filter((addon) => !grouped.has(addon)) };
}

export const installAddonsModule = (addons: readonly Addon[]): Module =>
  defineModule({
    name,
    title: 'Install addons',
    installs: ['addons'],
    plan: ({ task }) => task(installAddons, addons),
  });

/** Also downloads the files of the addon, because its objects are only known from them. */
export const uninstallAddonsModule = (addons: readonly Addon[]): Module =>
  defineModule({
    name,
    title: 'Uninstall addons',
    installs: ['addons'],
    plan: ({ task }) => task(uninstallAddons, addons),
  });

export const uninstallHelmModule = defineModule({
  name,
  title: 'Uninstall Helm',
  plan: ({ task }) => task(uninstallHelm),
});
