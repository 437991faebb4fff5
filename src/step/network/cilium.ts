import type { Cluster, NetworkPlugin } from '../../config/model/cluster.ts';
import { ciliumValues } from '../../template/cilium.ts';
import type { Programs } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';
import { networkChart } from './chart.ts';

/** Pods of all nodes reach each other by cilium. */
export const installCilium = (
  cluster: Cluster,
  plugin: Extract<NetworkPlugin, { readonly type: 'cilium' }>,
  programs: Programs,
): Step => networkChart('cilium', ciliumValues(cluster, plugin), programs);
