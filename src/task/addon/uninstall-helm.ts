import { on } from '../../plan/fragment.ts';
import { installHelm } from '../../step/kubernetes-object/helm.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';

export const uninstallHelm = defineTask({
  name: 'uninstall-helm',
  title: 'Remove helm',
  plan: ({ hosts }) => on(hosts.withRole('master'), reverse(installHelm())),
});
