import type { Cluster } from '../../config/model/cluster.ts';
import { deepMerge } from './kubelet-configuration.ts';

/** How kube-proxy forwards, as it was decided for the kernels of the hosts. */
export type ProxyMode = 'nftables' | 'iptables' | 'ipvs';

export function kubeProxyConfiguration(cluster: Cluster, mode: ProxyMode): object {
  const { kubernetes, network, endpoint } = cluster;
  const { masqueradeAll } = kubernetes;
  const ours = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode,
    clusterCIDR: network.podCidrs.join(','),
    ...(Object.keys(kubernetes.featureGates).length > 0 && { featureGates: kubernetes.featureGates }),
    ...(mode === 'iptables' && { iptables: { masqueradeAll } }),
    ...(mode === 'nftables' && { nftables: { masqueradeAll } }),
    // kube-vip has the address of the endpoint on an interface: ipvs must not take it away.
    ...(mode === 'ipvs' && {
      ipvs: {
        strictARP: true,
        ...(endpoint.internal.type === 'kube-vip' && {
          excludeCIDRs: [`${endpoint.internal.address}/${endpoint.internal.address.includes(':') ? 128 : 32}`],
        }),
      },
    }),
  };
  return deepMerge(ours, kubernetes.kubeProxyConfiguration);
}
