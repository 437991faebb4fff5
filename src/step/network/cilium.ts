import type { Cluster } from '../../config/model/cluster.ts';
import type { NetworkPlugin } from '../../config/model/network-plugins.ts';
import { ciliumValues } from '../../template/cilium.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Step } from '../contract/step.ts';
import { installNetworkChart } from './chart.ts';

/** Installs Cilium. */
export const installCilium = (
  cluster: Cluster,
  plugin: Extract<NetworkPlugin, { readonly type: 'cilium' }>,
  assets: Assets,
): Step => installNetworkChart('cilium', 'Cilium', ciliumValues(cluster, plugin), assets);
