import type { Cluster } from '../config/model/cluster.ts';
import type { NetworkPlugin } from '../config/model/network-plugins.ts';
import { addressAt } from '../config/model/addresses.ts';
import { NODE_LOCAL_DNS } from '../config/model/addresses.ts';
import { deepMerge } from './deep-merge.ts';

/** Chart values. Values from the cluster file override the defaults. */
export function kubeOvnValues(cluster: Cluster, plugin: Extract<NetworkPlugin, { readonly type: 'kube-ovn' }>): object {
  const { network, hosts, kubernetes } = cluster;
  const masters = hosts.filter(({ roles }) => roles.includes('master'));
  const stack = stackOf(network.podCidrs);
  const defaults = {
    // All masters, even those that have not joined yet: the OVN database needs its full member list.
    MASTER_NODES: masters.map(({ internalAddresses }) => internalAddresses[0]).join(),
    MASTER_NODES_LABEL: 'node-role.kubernetes.io/control-plane=',
    networking: { NET_STACK: stack, ...(kubernetes.nodelocaldns && { NODE_LOCAL_DNS_IP: NODE_LOCAL_DNS }) },
    [stack]: {
      POD_CIDR: network.podCidrs.join(),
      POD_GATEWAY: network.podCidrs.map((cidr) => addressAt(cidr, 1)).join(),
      SVC_CIDR: network.serviceCidrs.join(),
      JOIN_CIDR: plugin.joinCidrs.join(),
      // Do not ping hosts outside of the cluster.
      PINGER_EXTERNAL_ADDRESS: '',
      PINGER_EXTERNAL_DOMAIN: '',
    },
  };
  return deepMerge(defaults, plugin.values);
}

function stackOf(cidrs: readonly string[]): 'ipv4' | 'ipv6' | 'dual_stack' {
  if (cidrs.length > 1) return 'dual_stack';
  return cidrs[0]?.includes(':') ? 'ipv6' : 'ipv4';
}
