import { uninstallContainerd } from '../../task/container-runtime/uninstall-containerd.ts';
import { defineModule } from '../module.ts';

/** Whatever the file says now: only what kubexm brought is taken away. */
export const uninstallRuntime = defineModule({
  name: 'container-runtime',
  title: 'Take the container runtime away again',
  plan: ({ task }) => task(uninstallContainerd),
});
