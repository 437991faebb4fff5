import type { Cluster } from '../../config/model/cluster.ts';
import { criSocket, kubeletGates } from '../../config/model/container-runtimes.ts';
import { podDnsServers } from '../../config/model/addresses.ts';
import { minorOf } from '../../config/model/version.ts';
import { deepMerge } from '../deep-merge.ts';
import { kubeletHardening } from '../kubernetes/hardening.ts';

/** KubeletConfiguration for all nodes. Fields from the cluster file override the defaults. */
export function kubeletConfiguration(cluster: Cluster): object {
  const { kubernetes } = cluster;
  const featureGates = { ...kubeletGates(cluster), ...kubernetes.featureGates };
  const defaults = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    cgroupDriver: 'systemd',
    clusterDomain: kubernetes.dnsDomain,
    clusterDNS: podDnsServers(cluster),
    // Before 1.27 kubeadm passes it as a flag.
    ...(minorOf(kubernetes.version) >= 27 && { containerRuntimeEndpoint: criSocket(cluster) }),
    maxPods: kubernetes.maxPods,
    podPidsLimit: kubernetes.podPidsLimit,
    rotateCertificates: true,
    ...(Object.keys(featureGates).length > 0 && { featureGates }),
    ...kubeletHardening(cluster),
  };
  return deepMerge(defaults, kubernetes.kubeletConfiguration);
}
