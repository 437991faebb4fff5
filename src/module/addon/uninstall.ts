import { uninstallHelm } from '../../task/addon/uninstall-helm.ts';
import { defineModule } from '../module.ts';

/** Addons go with the cluster; what installed them stays behind on a host otherwise. */
export const uninstallAddonsModule = defineModule({
  name: 'addon',
  title: 'Take what installed addons from the hosts',
  plan: ({ task }) => task(uninstallHelm),
});
