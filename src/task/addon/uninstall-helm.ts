import { on } from '../../plan/fragment.ts';
import { installHelm } from '../../step/helm.ts';
import { reverse } from '../../step/reverse.ts';
import { defineTask } from '../task.ts';

export const uninstallHelm = defineTask({
  name: 'uninstall-helm',
  title: 'Remove helm',
  plan: ({ hosts }) => on(hosts.withRole('master'), reverse(installHelm())),
});
