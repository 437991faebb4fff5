import type { InternalLoadBalancer } from '../../config/model/cluster.ts';
import { on, sequence } from '../../plan/fragment.ts';
import { startKubeVip, runKubeVip } from '../../step/load-balancer/kube-vip.ts';
import { undo } from '../../step/undo/undo.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

type KubeVip = Extract<InternalLoadBalancer, { readonly type: 'kube-vip' }>;

export const beginVip = defineTask<KubeVip>({
  name: 'begin-kube-vip',
  title: 'Start kube-vip on the first master',
  plan: ({ cluster, assets, hosts }, vip) => on(firstMaster(hosts), startKubeVip({ cluster, vip, assets })),
});

export const setupVip = defineTask<KubeVip>({
  name: 'setup-kube-vip',
  title: 'Run kube-vip on all masters',
  plan: ({ cluster, assets, hosts }, vip) => on(hosts.withRole('master'), runKubeVip({ cluster, vip, assets })),
});

export const removeVip = defineTask({
  name: 'remove-kube-vip',
  title: 'Remove kube-vip',
  plan: ({ hosts }) =>
    sequence(
      on(hosts.withRole('master'), undo('kube-vip.run', 'Remove kube-vip')),
      on(firstMaster(hosts), undo('kube-vip.begin', 'Remove the initial kube-vip manifest')),
    ),
});
