import type { InternalLoadBalancer } from '../../config/model/cluster.ts';
import { on, sequence } from '../../plan/fragment.ts';
import { beginKubeVip, runKubeVip } from '../../step/load-balancer/kube-vip.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** The address that masters share, and what they share it with. */
export interface KubeVipInput {
  readonly vip: Extract<InternalLoadBalancer, { readonly type: 'kube-vip' }>;
  readonly image: string;
}

export const beginVip = defineTask<KubeVipInput>({
  name: 'begin-kube-vip',
  title: 'Let the first master have the virtual address before there is an API',
  plan: ({ cluster, hosts }, { vip, image }) => on(firstMaster(hosts), beginKubeVip({ cluster, vip, image })),
});

export const setupVip = defineTask<KubeVipInput>({
  name: 'setup-kube-vip',
  title: 'Let all masters take part in who has the virtual address',
  plan: ({ cluster, hosts }, { vip, image }) => on(hosts.withRole('master'), runKubeVip({ cluster, vip, image })),
});

export const removeVip = defineTask<KubeVipInput>({
  name: 'remove-kube-vip',
  title: 'Take kube-vip from the masters',
  plan: ({ cluster, hosts }, { vip, image }) =>
    sequence(
      on(hosts.withRole('master'), reverse(runKubeVip({ cluster, vip, image }))),
      on(firstMaster(hosts), reverse(beginKubeVip({ cluster, vip, image }))),
    ),
});
