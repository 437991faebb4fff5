import type { Cluster } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/cri-socket.ts';
import { dnsServiceAddresses } from '../../config/model/addresses.ts';
import { minorOf } from '../../config/model/version.ts';

/** NodeLocalDNS answers here on every node. */
export const NODE_LOCAL_DNS = '169.254.25.10';

/** What every kubelet of the cluster does alike; the user's fields come over ours. */
export function kubeletConfiguration(cluster: Cluster): object {
  const { kubernetes, network } = cluster;
  const ours = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    cgroupDriver: 'systemd',
    clusterDomain: kubernetes.dnsDomain,
    clusterDNS: kubernetes.nodelocaldns ? [NODE_LOCAL_DNS] : dnsServiceAddresses(network.serviceCidrs),
    // Before 1.27 it is a flag, which kubeadm writes.
    ...(minorOf(kubernetes.version) >= 27 && { containerRuntimeEndpoint: criSocket(cluster) }),
    maxPods: kubernetes.maxPods,
    podPidsLimit: kubernetes.podPidsLimit,
    rotateCertificates: true,
    ...(Object.keys(kubernetes.featureGates).length > 0 && { featureGates: kubernetes.featureGates }),
  };
  return deepMerge(ours, kubernetes.kubeletConfiguration);
}

/** The second over the first, all the way down; lists are replaced whole. */
export function deepMerge(ours: object, theirs: object): object {
  const both: Record<string, unknown> = { ...ours };
  for (const [name, value] of Object.entries(theirs)) {
    const own = both[name];
    both[name] = isPlain(own) && isPlain(value) ? deepMerge(own, value) : value;
  }
  return both;
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
