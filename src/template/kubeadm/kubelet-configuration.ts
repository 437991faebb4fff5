import type { Cluster } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/container-runtimes.ts';
import { dnsServiceAddresses } from '../../config/model/addresses.ts';
import { minorOf } from '../../config/model/version.ts';
import { deepMerge } from '../deep-merge.ts';

/** Address of NodeLocal DNSCache on every node. */
export const NODE_LOCAL_DNS = '169.254.25.10';

/** KubeletConfiguration for all nodes. Fields from the cluster file override the defaults. */
export function kubeletConfiguration(cluster: Cluster): object {
  const { kubernetes, network } = cluster;
  const defaults = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    cgroupDriver: 'systemd',
    clusterDomain: kubernetes.dnsDomain,
    clusterDNS: kubernetes.nodelocaldns ? [NODE_LOCAL_DNS] : dnsServiceAddresses(network.serviceCidrs),
    // Before 1.27 kubeadm passes it as a flag.
    ...(minorOf(kubernetes.version) >= 27 && { containerRuntimeEndpoint: criSocket(cluster) }),
    maxPods: kubernetes.maxPods,
    podPidsLimit: kubernetes.podPidsLimit,
    rotateCertificates: true,
    ...(Object.keys(kubernetes.featureGates).length > 0 && { featureGates: kubernetes.featureGates }),
  };
  return deepMerge(defaults, kubernetes.kubeletConfiguration);
}
