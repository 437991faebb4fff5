import type { Cluster, ClusterHost, Taint } from '../../config/model/cluster.ts';
import { criSocket } from '../../config/model/cri-socket.ts';
import { args, type KubeadmApi } from './api.ts';

/** How a node joins under its name. */
export function nodeRegistration(cluster: Cluster, host: ClusterHost, api: KubeadmApi): object {
  const flags = { 'node-ip': host.internalAddresses.join(','), ...cluster.kubernetes.kubelet.extraArgs };
  return {
    name: host.name,
    criSocket: criSocket(cluster),
    imagePullPolicy: 'IfNotPresent',
    kubeletExtraArgs: args(api, flags),
    taints: taintsOf(host).map(({ key, value, effect }) => ({ key, ...(value !== '' && { value }), effect })),
  };
}

/** A master takes ordinary pods only if it is a worker, too. */
export const taintsOf = ({ roles, taints }: ClusterHost): readonly Taint[] => [
  ...(roles.includes('master') && !roles.includes('worker') ? [CONTROL_PLANE] : []),
  ...taints,
];

const CONTROL_PLANE: Taint = { key: 'node-role.kubernetes.io/control-plane', value: '', effect: 'NoSchedule' };
