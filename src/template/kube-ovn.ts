import type { Cluster, NetworkPlugin } from '../config/model/cluster.ts';
import { addressAt } from '../config/model/addresses.ts';
import { NODE_LOCAL_DNS, deepMerge } from './kubeadm/kubelet-configuration.ts';

/** Values of the chart; the user's come over ours. */
export function kubeOvnValues(cluster: Cluster, plugin: Extract<NetworkPlugin, { readonly type: 'kube-ovn' }>): object {
  const { network, hosts, kubernetes } = cluster;
  const masters = hosts.filter(({ roles }) => roles.includes('master'));
  const stack = stackOf(network.podCidrs);
  const ours = {
    // All of them, before the others have joined: the database of OVN wants to know how many it is of.
    MASTER_NODES: masters.map(({ internalAddresses }) => internalAddresses[0]).join(),
    MASTER_NODES_LABEL: 'node-role.kubernetes.io/control-plane=',
    networking: { NET_STACK: stack, ...(kubernetes.nodelocaldns && { NODE_LOCAL_DNS_IP: NODE_LOCAL_DNS }) },
    [stack]: {
      POD_CIDR: network.podCidrs.join(),
      POD_GATEWAY: network.podCidrs.map((cidr) => addressAt(cidr, 1)).join(),
      SVC_CIDR: network.serviceCidrs.join(),
      JOIN_CIDR: plugin.joinCidrs.join(),
      // No packets of ours to strangers.
      PINGER_EXTERNAL_ADDRESS: '',
      PINGER_EXTERNAL_DOMAIN: '',
    },
  };
  return deepMerge(ours, plugin.values);
}

function stackOf(cidrs: readonly string[]): 'ipv4' | 'ipv6' | 'dual_stack' {
  if (cidrs.length > 1) return 'dual_stack';
  return cidrs[0]?.includes(':') ? 'ipv6' : 'ipv4';
}
