import { z } from 'zod';
import { choice, cidrPair, flag, free, toggle, version, whole } from './fields.ts';

const tunnelMode = () => choice(['Always', 'CrossSubnet', 'Never']);

const calico = z.strictObject({
  ipipMode: tunnelMode().optional().describe('IPIP tunnels between nodes. Always, unless vxlanMode is on.'),
  vxlanMode: tunnelMode().default('Never').describe('VXLAN tunnels between nodes. Not together with ipipMode.'),
  vethMTU: whole(0, 65_535).default(0).describe('MTU of pods; 0 finds it out.'),
  ipv4NatOutgoing: flag(true).describe('Masquerade what leaves the cluster.'),
  typha: flag(false).describe('Typha between calico and the API servers, for more than 50 nodes.'),
});

/** Networks of pods and services, and the plugin that makes them. */
export const networkSchema = z.strictObject({
  plugin: choice(['calico', 'flannel', 'cilium', 'kube-ovn', 'none']).default('calico').describe('Network plugin.'),
  version: version().optional().describe('Its version; by default one that suits the Kubernetes version.'),
  kubePodsCIDR: cidrPair().default('10.233.64.0/18').describe('Network of pods, "v4" or "v4,v6" for dual stack.'),
  kubeServiceCIDR: cidrPair().default('10.233.0.0/18').describe('Network of services, "v4" or "v4,v6" for dual stack.'),
  calico: calico.prefault({}).describe('Settings of calico.'),
  flannel: z
    .strictObject({
      backend: choice(['vxlan', 'host-gw', 'wireguard']).default('vxlan').describe('How packets travel between nodes.'),
    })
    .prefault({})
    .describe('Settings of flannel.'),
  cilium: z
    .strictObject({
      kubeProxyReplacement: flag(false).describe('Cilium does the work of kube-proxy.'),
      values: free().describe('Values of the chart, put over ours.'),
    })
    .prefault({})
    .describe('Settings of cilium.'),
  kubeOvn: z
    .strictObject({
      joinCIDR: cidrPair()
        .optional()
        .describe('Network between nodes and pods. 100.64.0.0/16 and fd00:100:64::/112, for the families of the pods.'),
      values: free().describe('Values of the chart, put over ours.'),
    })
    .prefault({})
    .describe('Settings of kube-ovn.'),
  multus: toggle().describe('Several networks for a pod.'),
  ippool: z
    .strictObject({ blockSize: whole(20, 32).default(26).describe('Size of the blocks of addresses that calico gives to a node.') })
    .prefault({})
    .describe('Pool of pod addresses.'),
});
