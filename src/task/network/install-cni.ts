import type { NetworkPlugin } from '../../config/cluster.ts';
import { on } from '../../plan/fragment.ts';
import type { Programs } from '../../step/install-program.ts';
import { applyFlannel } from '../../step/network/flannel.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** A network plugin, and what it is made from. */
export interface FlannelInput {
  readonly plugin: Extract<NetworkPlugin, { readonly type: 'flannel' }>;
  readonly programs: Programs;
}

export const installFlannel = defineTask<FlannelInput>({
  name: 'install-cni',
  title: 'Let pods of all nodes reach each other by flannel',
  plan: ({ cluster, hosts }, { plugin, programs }) => on(firstMaster(hosts), applyFlannel(cluster, plugin, programs)),
});
