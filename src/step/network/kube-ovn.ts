import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { kubeOvnValues } from '../../template/kube-ovn.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Step } from '../contract/step.ts';
import { installNetworkChart } from './chart.ts';

/** Installs Kube-OVN. */
export const installKubeOvn = (
  cluster: Cluster,
  plugin: Extract<NetworkPlugin, { readonly type: 'kube-ovn' }>,
  assets: Assets,
): Step => installNetworkChart('kube-ovn', 'Kube-OVN', kubeOvnValues(cluster, plugin), assets);
