import { chain } from '../../plan/fragment.ts';
import { CONTAINERD_SOCKET, containerdStepsToUndo } from '../../step/container-runtime/containerd/steps.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { installCniPlugins, installCrictl, installRunc } from '../../step/container-runtime/tools/tools.ts';
import { toolsToUndo } from '../../step/container-runtime/tools/undo.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const uninstallContainerd = defineTask({
  name: 'uninstall-containerd',
  title: 'Remove all containers, and containerd with all that came with it',
  plan: ({ cluster, hosts }) => {
    const tools = [installCrictl(CONTAINERD_SOCKET), installCniPlugins()];
    return chain(nodesAmong(hosts), [...containerdStepsToUndo(cluster), ...toolsToUndo(tools), reverse(installRunc())]);
  },
});
