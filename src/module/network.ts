import { installCni } from '../task/network.ts';
import { defineModule } from './module.ts';

/** Installs the network plugin. No module uninstalls it, because it is deleted with the cluster. */
export const installNetworkModule = defineModule({
  name: 'network',
  title: 'Install the network plugin',
  installs: ['network'],
  plan: ({ task }) => task(installCni),
});
