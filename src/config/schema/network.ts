import { z } from 'zod';
import { NETWORK_PLUGIN_NAMES } from '../model/network-plugins.ts';
import { toCidrs } from '../value/address.ts';
import { choice, cidrPair, flag, free, toggle, version, whole } from './fields.ts';

const tunnelMode = () => choice(['Always', 'CrossSubnet', 'Never']);

const calico = z.strictObject({
  ipipMode: tunnelMode()
    .optional()
    .describe('IPIP tunnels between nodes. Defaults to Always, or Never if vxlanMode is enabled.'),
  vxlanMode: tunnelMode().default('Never').describe('VXLAN tunnels between nodes. Cannot be combined with ipipMode.'),
  vethMTU: whole(0, 65_535).default(0).describe('MTU of pod interfaces; 0 to detect it.'),
  ipv4NatOutgoing: flag(true).describe('Masquerade traffic that leaves the cluster.'),
  typha: flag(false).describe('Install Typha, for clusters with more than 50 nodes.'),
});

export const networkSchema = z.strictObject({
  plugin: choice(NETWORK_PLUGIN_NAMES).default('calico').describe('Network plugin (CNI).'),
  version: version()
    .optional()
    .describe('Network plugin version. Defaults to a version that is compatible with the Kubernetes version.'),
  kubePodsCIDR: cidrPair()
    .default('10.233.64.0/18')
    .describe('Pod network CIDR. For dual stack: IPv4 and IPv6 CIDRs, separated by a comma.'),
  kubeServiceCIDR: cidrPair()
    .default('10.233.0.0/18')
    .describe('Service network CIDR. For dual stack: IPv4 and IPv6 CIDRs, separated by a comma.'),
  calico: calico.prefault({}).describe('Calico settings.'),
  flannel: z
    .strictObject({
      backend: choice(['vxlan', 'host-gw', 'wireguard']).default('vxlan').describe('Flannel backend.'),
    })
    .prefault({})
    .describe('Flannel settings.'),
  cilium: z
    .strictObject({
      kubeProxyReplacement: flag(false).describe('Replace kube-proxy with Cilium.'),
      values: free().describe('Helm values that override the defaults.'),
    })
    .prefault({})
    .describe('Cilium settings.'),
  kubeOvn: z
    .strictObject({
      joinCIDR: cidrPair()
        .optional()
        .describe(
          'CIDR of the join network between nodes and pods. Defaults to 100.64.0.0/16 and fd00:100:64::/112, depending on the IP families of the pod network.',
        ),
      values: free().describe('Helm values that override the defaults.'),
    })
    .prefault({})
    .describe('Kube-OVN settings.'),
  multus: toggle().describe('Install Multus, for pods with several network interfaces.'),
  ippool: z
    .strictObject({
      blockSize: whole(20, 32)
        .default(26)
        .describe('Prefix length of the address blocks that Calico assigns to nodes.'),
    })
    .prefault({})
    .describe('Calico IP pool.'),
});

/** Returns the CIDRs of the Kube-OVN join network, by default for the IP families of the pod network. */
export const joinCidrs = ({ kubeOvn, kubePodsCIDR }: z.output<typeof networkSchema>): readonly string[] =>
  kubeOvn.joinCIDR === undefined
    ? toCidrs(kubePodsCIDR).map(({ family }) => DEFAULT_JOIN_CIDR[family])
    : toCidrs(kubeOvn.joinCIDR).map(({ text }) => text);

const DEFAULT_JOIN_CIDR = { 4: '100.64.0.0/16', 6: 'fd00:100:64::/112' } as const;
