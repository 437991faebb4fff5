import { isNode } from '../common/host.ts';
import type { Cluster } from '../config/model/cluster.ts';
import type { NetworkPlugin } from '../config/model/network-plugins.ts';
import { deepMerge } from './deep-merge.ts';

/** Chart values. Values from the cluster file override the defaults. */
export function ciliumValues(cluster: Cluster, plugin: Extract<NetworkPlugin, { readonly type: 'cilium' }>): object {
  const { network, endpoint, hosts } = cluster;
  const has = (family: (cidr: string) => boolean) => network.podCidrs.some(family);
  const defaults = {
    // The controller manager assigns pod CIDRs to nodes, in the size that the cluster file sets.
    ipam: { mode: 'kubernetes' },
    ipv4: { enabled: has((cidr) => !cidr.includes(':')) },
    ipv6: { enabled: has((cidr) => cidr.includes(':')) },
    kubeProxyReplacement: plugin.kubeProxyReplacement,
    // Without kube-proxy the kubernetes service is not reachable before Cilium runs.
    ...(plugin.kubeProxyReplacement && { k8sServiceHost: endpoint.domain, k8sServicePort: endpoint.port }),
    operator: { replicas: Math.min(2, hosts.filter(isNode).length), image: { useDigest: false } },
    // Private registries have the images by tag only.
    image: { useDigest: false },
    // Envoy runs inside the agent instead of as a DaemonSet with its own image.
    envoy: { enabled: false },
  };
  return deepMerge(defaults, plugin.values);
}
