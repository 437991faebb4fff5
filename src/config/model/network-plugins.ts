import { open, tcp, udp, type TablePort } from './port-table.ts';

/** The values of `network.plugin`. */
export const NETWORK_PLUGIN_NAMES = ['calico', 'flannel', 'cilium', 'kube-ovn', 'none'] as const;

/** The network plugin and its settings. */
export type NetworkPlugin =
  | {
      readonly type: 'calico';
      readonly version: string | undefined;
      readonly blockSize: number;
      readonly ipipMode: TunnelMode;
      readonly vxlanMode: TunnelMode;
      readonly vethMTU: number;
      readonly ipv4NatOutgoing: boolean;
      readonly typha: boolean;
    }
  | {
      readonly type: 'flannel';
      readonly version: string | undefined;
      readonly backend: 'vxlan' | 'host-gw' | 'wireguard';
    }
  | {
      readonly type: 'cilium';
      readonly version: string | undefined;
      readonly kubeProxyReplacement: boolean;
      readonly values: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'kube-ovn';
      readonly version: string | undefined;
      readonly joinCidrs: readonly string[];
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'none' };

type TunnelMode = 'Always' | 'CrossSubnet' | 'Never';

/** Static facts about a network plugin. */
export interface NetworkPluginFacts {
  /** The newest Kubernetes minor version tested with each minor version of the plugin. */
  readonly testedWith: Readonly<Record<string, number>>;
  /** Namespaces of its Pods besides kube-system. */
  readonly namespaces: readonly string[];
  /** Directories that it creates on a node. */
  readonly directories: readonly string[];
  /** Network interfaces that it creates, as an extended regular expression for the whole name. */
  readonly links: string;
  /** Interfaces that remain until a reboot or until their daemon removes them. They must not be in `links`. */
  readonly kernelLinks: readonly string[];
  /** Prefixes of its iptables chains. */
  readonly chains: readonly string[];
  /** Texts that identify its iptables rules in other chains. */
  readonly ruleMarks: readonly string[];
  /** Its nftables tables. */
  readonly nftTables: readonly string[];
  /** Its ipsets, as an extended regular expression for the start of the name. */
  readonly ipsets: string;
  /** Route protocol numbers that only this plugin uses. */
  readonly routeProtocols: readonly number[];
  /** Mount points on the host that are not below `directories`. */
  readonly mounts: readonly string[];
  /** Files in the CNI directories that call the API server when a Pod is removed. */
  readonly cniFiles: readonly string[];
}

const NOTHING: NetworkPluginFacts = {
  testedWith: {},
  namespaces: [],
  directories: [],
  links: '',
  kernelLinks: [],
  chains: [],
  ruleMarks: [],
  nftTables: [],
  ipsets: '',
  routeProtocols: [],
  mounts: [],
  cniFiles: [],
};

/** The supported network plugins. */
export const NETWORK_PLUGINS: Readonly<Record<NetworkPlugin['type'], NetworkPluginFacts>> = {
  calico: {
    ...NOTHING,
    testedWith: { '3.26': 28, '3.27': 29, '3.28': 30, '3.29': 32, '3.30': 33, '3.31': 34, '3.32': 36 },
    namespaces: ['calico-system', 'tigera-operator'],
    directories: ['/var/lib/calico', '/var/log/calico', '/run/calico', '/run/nodeagent'],
    links: 'cali[0-9a-f]{11}|vxlan(-v6)?[.]calico',
    kernelLinks: ['tunl0'],
    chains: ['cali-'],
    ruleMarks: ['cali:'],
    nftTables: ['calico'],
    ipsets: 'cali[46][0t]',
    routeProtocols: [80],
    mounts: ['/sys/fs/bpf'],
    cniFiles: [
      '/etc/cni/net.d/10-calico.conflist',
      '/etc/cni/net.d/calico-kubeconfig',
      '/opt/cni/bin/calico',
      '/opt/cni/bin/calico-ipam',
    ],
  },
  flannel: {
    ...NOTHING,
    namespaces: ['kube-flannel'],
    directories: ['/run/flannel'],
    links: 'flannel[.-].+',
    chains: ['FLANNEL-'],
    ruleMarks: ['flanneld'],
    nftTables: ['flannel-ipv4', 'flannel-ipv6'],
  },
  cilium: {
    ...NOTHING,
    testedWith: { '1.14': 27, '1.15': 29, '1.16': 30, '1.17': 32, '1.18': 33, '1.19': 34 },
    directories: ['/var/lib/cilium', '/run/cilium'],
    links: 'cilium_(host|net|vxlan|geneve|wg0|ipip[46])|lxc[0-9a-f]{12}',
    kernelLinks: ['cilium_tunl', 'cilium_ip6tnl'],
    chains: ['CILIUM_'],
    mounts: ['/sys/fs/bpf'],
  },
  'kube-ovn': {
    ...NOTHING,
    testedWith: { '1.13': 28, '1.15': 34 },
    directories: ['/etc/origin', '/run/ovn', '/run/openvswitch', '/var/log/ovn', '/var/log/openvswitch'],
    // An internal port of the Open vSwitch kernel module.
    kernelLinks: ['ovn0'],
  },
  none: NOTHING,
};

const ROWS: readonly NetworkPluginFacts[] = Object.values(NETWORK_PLUGINS);

/**
 * Interfaces of all network plugins, the CNI bridge and kube-proxy, as an extended regular expression for the whole
 * name.
 */
export const CLUSTER_LINKS = ['cni0', 'kube-ipvs0', 'nodelocaldns', ...ROWS.map(({ links }) => links)]
  .filter(Boolean)
  .join('|');

const isClusterLinkName = new RegExp(`^(${CLUSTER_LINKS})$`);

/** Returns whether a network interface belongs to a cluster. */
export const isClusterLink = (name: string): boolean => isClusterLinkName.test(name) || isKernelLink(name);

/** Returns whether a network interface cannot be deleted. */
export const isKernelLink = (name: string): boolean => ROWS.some(({ kernelLinks }) => kernelLinks.includes(name));

/** Prefixes of the iptables chains that kube-proxy and network plugins create. */
export const CLUSTER_CHAINS: readonly string[] = ['KUBE-', 'CNI-', ...ROWS.flatMap(({ chains }) => chains)];

/** Texts that identify iptables rules of kube-proxy, network plugins and NodeLocal DNSCache in other chains. */
export const CLUSTER_RULE_MARKS: readonly string[] = [
  'kube-proxy',
  'NodeLocal DNS Cache',
  ...ROWS.flatMap(({ ruleMarks }) => ruleMarks),
];

/** The nftables tables of kube-proxy and network plugins. */
export const CLUSTER_NFT_TABLES: readonly string[] = ['kube-proxy', ...ROWS.flatMap(({ nftTables }) => nftTables)];

/** The ipsets of kube-proxy and network plugins, as an extended regular expression for the start of the name. */
export const CLUSTER_IPSETS = ['KUBE-', ...ROWS.map(({ ipsets }) => ipsets)].filter(Boolean).join('|');

/** Route protocol numbers that only network plugins use. */
export const CLUSTER_ROUTE_PROTOCOLS: readonly number[] = ROWS.flatMap(({ routeProtocols }) => routeProtocols);

/** Interfaces that remain when a cluster is deleted, without their addresses in the pod network. */
export const KERNEL_LINKS: readonly string[] = ROWS.flatMap(({ kernelLinks }) => kernelLinks);

/** Files in the CNI directories that call the API server when a Pod is removed. */
export const CLUSTER_CNI_FILES: readonly string[] = ROWS.flatMap(({ cniFiles }) => cniFiles);

/** Network plugin directories that persist across reboots, except for logs. */
export const PLUGIN_DATA_DIRECTORIES: readonly string[] = ROWS.flatMap(({ directories }) => directories).filter(
  (path) => /^\/(var\/lib|etc)\//.test(path),
);

/**
 * Directories for CNI plugins, their configuration and their state. They are removed with all files that network
 * plugins added.
 */
export const CNI_DIRECTORIES = ['/opt/cni/bin', '/etc/cni/net.d', '/var/lib/cni'] as const;

/** Returns the namespaces of the cluster components. */
export const systemNamespaces = ({ type }: NetworkPlugin): readonly string[] => [
  'kube-system',
  ...NETWORK_PLUGINS[type].namespaces,
];

/** Returns the ports that a network plugin uses on every node. */
export function networkPorts(plugin: NetworkPlugin): readonly TablePort[] {
  switch (plugin.type) {
    case 'calico': {
      const routed = plugin.vxlanMode === 'Never';
      const bgp = tcp(179, 'calico BGP');
      return [
        routed ? bgp : open(bgp),
        ...(plugin.typha ? [open(tcp(5473, 'calico typha'))] : []),
        ...(routed ? [] : [udp(4789, 'calico VXLAN')]),
      ];
    }
    case 'flannel':
      if (plugin.backend === 'vxlan') return [udp(8472, 'flannel VXLAN')];
      return plugin.backend === 'wireguard' ? [{ ...udp(51_820, 'flannel WireGuard'), to: 51_821 }] : [];
    case 'cilium':
      return [udp(8472, 'cilium VXLAN'), tcp(4240, 'cilium health'), open(tcp(4244, 'cilium hubble'))];
    case 'kube-ovn':
      return [udp(6081, 'kube-ovn GENEVE'), { ...open(tcp(6641, 'kube-ovn databases')), to: 6644 }];
    case 'none':
      return [];
  }
}

/** Returns the kernel modules that a network plugin requires. */
export function networkModules(plugin: NetworkPlugin): readonly string[] {
  switch (plugin.type) {
    case 'calico':
      if (plugin.vxlanMode !== 'Never') return ['vxlan'];
      return usesIpip(plugin) ? ['ipip'] : [];
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

/** Returns whether nodes exchange IPIP packets. */
export const usesIpip = (plugin: NetworkPlugin): boolean => plugin.type === 'calico' && plugin.ipipMode !== 'Never';
