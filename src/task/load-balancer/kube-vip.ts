import type { InternalLoadBalancer } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { isManifestPresent, releaseVip, runKubeVip, startKubeVip } from '../../step/load-balancer/kube-vip.ts';
import { undo } from '../../step/undo/undo.ts';
import { firstMaster, firstMasterIn } from '../host-groups.ts';
import { defineTask } from '../task.ts';

type KubeVip = Extract<InternalLoadBalancer, { readonly type: 'kube-vip' }>;

export const beginVip = defineTask<KubeVip>({
  name: 'begin-kube-vip',
  title: 'Start kube-vip on the first master',
  needs: { bgpPasswords: true },
  plan: ({ cluster, assets, hosts }, vip) => on(firstMaster(hosts), startKubeVip({ cluster, vip, assets })),
});

export const setupVip = defineTask<KubeVip>({
  name: 'setup-kube-vip',
  title: 'Run kube-vip on all masters',
  needs: { bgpPasswords: true },
  plan: ({ cluster, assets, hosts }, vip) => on(hosts.withRole('master'), runKubeVip({ cluster, vip, assets })),
});

export const removeVip = defineTask<KubeVip>({
  name: 'remove-kube-vip',
  title: 'Remove kube-vip',
  plan: ({ hosts }, { address }) =>
    sequence(
      chain(hosts.withRole('master'), [
        undo('kube-vip.run', 'Remove kube-vip', { isUnchanged: isManifestPresent }),
        releaseVip(address),
      ]),
      on(firstMasterIn(hosts), undo('kube-vip.begin', 'Remove the initial kube-vip manifest')),
    ),
});
