import type { Cluster } from '../../config/model/cluster.ts';
import { networkModules } from '../../config/model/network-plugins.ts';
import type { Facts } from '../../runner/facts.ts';
import { nodeModules, type NeededModule } from '../host-requirements/kernel-modules.ts';

/** The modules that a node needs: those that create cluster loads, and those that the network plugin brings up. */
export const modulesFor = (cluster: Cluster, facts: Pick<Facts, 'kernel'>): readonly NeededModule[] => [
  ...nodeModules(cluster, facts),
  ...networkModules(cluster.network.plugin).map((name) => ({ name, for: cluster.network.plugin.type })),
];

/** How kernels name what they have built in, where that is not the name of the module. */
export const KERNEL_OPTIONS: Readonly<Record<string, string>> = {
  overlay: 'OVERLAY_FS',
  br_netfilter: 'BRIDGE_NETFILTER',
  ipip: 'NET_IPIP',
};
