import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { kubeOvnValues } from '../../template/kube-ovn.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Step } from '../contract/step.ts';
import { installNetworkChart } from './chart.ts';

/** Pods of all nodes reach each other by kube-ovn. */
export const installKubeOvn = (
  cluster: Cluster,
  plugin: Extract<NetworkPlugin, { readonly type: 'kube-ovn' }>,
  assets: Assets,
): Step => installNetworkChart('kube-ovn', kubeOvnValues(cluster, plugin), assets);
