import type { Cluster } from '../../config/cluster.ts';

/** A module of the kernel that a cluster needs, and what for. */
export interface NeededModule {
  readonly name: string;
  readonly for: string;
}

/** The modules that a node needs, by what the file asks for. */
export function modulesFor({ kubernetes, network: { plugin } }: Cluster): readonly NeededModule[] {
  const ipvs = ['ip_vs', 'ip_vs_rr', 'ip_vs_wrr', 'ip_vs_sh'];
  const of = (names: readonly string[], what: string) => names.map((name) => ({ name, for: what }));
  return [
    ...of(['overlay'], 'container images'),
    ...of(['br_netfilter', 'nf_conntrack'], 'the service network'),
    ...(kubernetes.proxyMode === 'ipvs' ? of(ipvs, 'proxyMode ipvs') : []),
    ...(kubernetes.proxyMode === 'nftables' ? of(['nf_tables'], 'proxyMode nftables') : []),
    ...of(pluginModules(plugin), plugin.type),
  ];
}

/** How kernels name what they have built in, where that is not the name of the module. */
export const KERNEL_OPTIONS: Readonly<Record<string, string>> = {
  overlay: 'OVERLAY_FS',
  br_netfilter: 'BRIDGE_NETFILTER',
  ipip: 'NET_IPIP',
};

function pluginModules(plugin: Cluster['network']['plugin']): readonly string[] {
  switch (plugin.type) {
    case 'calico':
      return plugin.vxlanMode === 'Never' ? (plugin.ipipMode === 'Never' ? [] : ['ipip']) : ['vxlan'];
    case 'flannel':
      return { vxlan: ['vxlan'], wireguard: ['wireguard'], 'host-gw': [] }[plugin.backend];
    case 'cilium':
      return ['vxlan'];
    case 'kube-ovn':
      return ['openvswitch', 'geneve'];
    case 'none':
      return [];
  }
}
