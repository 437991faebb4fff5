import { isNode } from '../common/host.ts';
import type { Cluster, NetworkPlugin } from '../config/model/cluster.ts';
import { deepMerge } from './kubeadm/kubelet-configuration.ts';

/** Values of the chart; the user's come over ours. */
export function ciliumValues(cluster: Cluster, plugin: Extract<NetworkPlugin, { readonly type: 'cilium' }>): object {
  const { network, endpoint, hosts } = cluster;
  const has = (family: (cidr: string) => boolean) => network.podCidrs.some(family);
  const ours = {
    // Nodes have their networks from the controller manager, in the sizes of the file.
    ipam: { mode: 'kubernetes' },
    ipv4: { enabled: has((cidr) => !cidr.includes(':')) },
    ipv6: { enabled: has((cidr) => cidr.includes(':')) },
    kubeProxyReplacement: plugin.kubeProxyReplacement,
    // Without kube-proxy nobody forwards the service that the API has in the cluster.
    ...(plugin.kubeProxyReplacement && { k8sServiceHost: endpoint.domain, k8sServicePort: endpoint.port }),
    operator: { replicas: Math.min(2, hosts.filter(isNode).length), image: { useDigest: false } },
    // Images are told apart by tags, as a registry of the user's own has them.
    image: { useDigest: false },
    // In the agent, not as a set of pods with an image of its own.
    envoy: { enabled: false },
  };
  return deepMerge(ours, plugin.values);
}
