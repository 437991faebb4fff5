import { askedAddons } from '../../config/asked-addons.ts';
import { unsupportedAddon } from '../../config/unsupported-addon.ts';
import { checkChanges } from '../../task/kubernetes/check-changes.ts';
import { checkSupport } from '../../task/kubernetes/check-support.ts';
import { defineModule } from '../module.ts';

/** Comes before anything is changed. */
export const checkSupportModule = defineModule({
  name: 'kubernetes',
  title: 'See whether the cluster can be installed',
  plan: ({ cluster, task }) => {
    const { kubernetes, endpoint } = cluster;
    if (kubernetes.type === 'kubexm' && endpoint.internal.type === 'kube-vip')
      return task(checkSupport, {
        what: 'internalLoadbalancer: kube-vip with kubernetes.type: kubexm',
        instead: 'internalLoadbalancer: haproxy',
      });
    const [unsupported] = askedAddons(cluster).flatMap((addon) => unsupportedAddon(addon) ?? []);
    return unsupported ? task(checkSupport, unsupported) : task(checkChanges);
  },
});
