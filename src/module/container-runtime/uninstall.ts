import { sequence } from '../../plan/fragment.ts';
import { uninstallContainerd } from '../../task/container-runtime/uninstall-containerd.ts';
import { uninstallCrio } from '../../task/container-runtime/uninstall-crio.ts';
import { uninstallDocker } from '../../task/container-runtime/uninstall-docker.ts';
import { uninstallIsulad } from '../../task/container-runtime/uninstall-isulad.ts';
import { defineModule } from '../module.ts';

/** Whatever the file says now: only what kubexm brought is taken away. */
export const uninstallRuntime = defineModule({
  name: 'container-runtime',
  title: 'Take the container runtime away again',
  plan: ({ task }) =>
    sequence(task(uninstallDocker), task(uninstallCrio), task(uninstallIsulad), task(uninstallContainerd)),
});
