import { askedAddons } from '../../config/model/requested-addons.ts';
import { unsupportedAddon } from '../../config/model/unsupported-addon.ts';
import { checkChanges } from '../../task/kubernetes/check-changes.ts';
import { checkSupport } from '../../task/kubernetes/check-support.ts';
import { defineModule } from '../module.ts';

/** Comes before anything is changed. */
export const checkSupportModule = defineModule({
  name: 'kubernetes',
  title: 'See whether the cluster can be installed',
  plan: ({ cluster, task }) => {
    const [unsupported] = askedAddons(cluster).flatMap((addon) => unsupportedAddon(addon) ?? []);
    return unsupported ? task(checkSupport, unsupported) : task(checkChanges);
  },
});
