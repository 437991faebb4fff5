import type { Cluster, NetworkPlugin } from '../../config/cluster.ts';
import { ciliumValues } from '../../template/cilium.ts';
import type { Programs } from '../install-program.ts';
import type { Step } from '../step.ts';
import { networkChart } from './chart.ts';

/** Pods of all nodes reach each other by cilium. */
export const installCilium = (
  cluster: Cluster,
  plugin: Extract<NetworkPlugin, { readonly type: 'cilium' }>,
  programs: Programs,
): Step => networkChart('cilium', ciliumValues(cluster, plugin), programs);
