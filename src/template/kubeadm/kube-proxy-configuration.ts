import type { Cluster } from '../../config/model/cluster.ts';
import { deepMerge } from '../deep-merge.ts';

/** kube-proxy mode, as selected for the kernels of the hosts. */
export type ProxyMode = 'nftables' | 'iptables' | 'ipvs';

export function kubeProxyConfiguration(cluster: Cluster, mode: ProxyMode): object {
  const { kubernetes, network, endpoint } = cluster;
  const { masqueradeAll } = kubernetes;
  const defaults = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode,
    clusterCIDR: network.podCidrs.join(','),
    ...(Object.keys(kubernetes.featureGates).length > 0 && { featureGates: kubernetes.featureGates }),
    ...(mode === 'iptables' && { iptables: { masqueradeAll } }),
    // The ipvs mode has no field of its own: it reads the one of the iptables mode.
    ...(mode === 'ipvs' && masqueradeAll && { iptables: { masqueradeAll } }),
    ...(mode === 'nftables' && { nftables: { masqueradeAll } }),
    // IPVS must not remove the virtual IP that kube-vip adds to an interface.
    ...(mode === 'ipvs' && {
      ipvs: {
        strictARP: true,
        ...(endpoint.internal.type === 'kube-vip' && {
          excludeCIDRs: [`${endpoint.internal.address}/${endpoint.internal.address.includes(':') ? 128 : 32}`],
        }),
      },
    }),
  };
  return deepMerge(defaults, kubernetes.kubeProxyConfiguration);
}
