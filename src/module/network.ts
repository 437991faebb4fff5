import { awaitCni, installCni } from '../task/network.ts';
import { defineModule } from './module.ts';

/** Installs the network plugin. No module uninstalls it, because it is deleted with the cluster. */
export const installNetworkModule = defineModule({
  name: 'network',
  title: 'Install the network plugin',
  installs: ['network'],
  plan: ({ task }) => task(installCni),
});

export const awaitNetworkModule = defineModule({
  name: 'network',
  title: 'Wait until the network plugin is ready',
  installs: ['network'],
  plan: ({ task }) => task(awaitCni),
});
