import type { Cluster, ClusterHost, Taint } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/container-runtimes.ts';
import { extraArgs, type KubeadmApi } from './api.ts';

/** nodeRegistration of the kubeadm configuration. */
export function nodeRegistration(cluster: Cluster, host: ClusterHost, api: KubeadmApi): object {
  const flags = { 'node-ip': host.internalAddresses.join(','), ...cluster.kubernetes.kubelet.extraArgs };
  return {
    name: host.name,
    criSocket: criSocket(cluster),
    imagePullPolicy: 'IfNotPresent',
    kubeletExtraArgs: extraArgs(api, flags),
    taints: taintsOf(host).map(({ key, value, effect }) => ({ key, ...(value !== '' && { value }), effect })),
  };
}

/** Masters that are not workers get the control-plane taint. */
export const taintsOf = ({ roles, taints }: ClusterHost): readonly Taint[] => [
  ...(roles.includes('master') && !roles.includes('worker') ? [CONTROL_PLANE] : []),
  ...taints,
];

const CONTROL_PLANE: Taint = { key: 'node-role.kubernetes.io/control-plane', value: '', effect: 'NoSchedule' };
