import { installCni } from '../task/network.ts';
import { defineModule } from './module.ts';

/** It is deleted with the cluster, so there is nothing to uninstall. */
export const installNetworkModule = defineModule({
  name: 'network',
  title: 'Install the network plugin',
  installs: ['network'],
  plan: ({ task }) => task(installCni),
});
