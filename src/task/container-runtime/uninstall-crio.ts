import { chain } from '../../plan/fragment.ts';
import { CRIO_SOCKET, crioStepsToUndo } from '../../step/container-runtime/crio/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { toolsToUndo } from '../../step/container-runtime/tools/undo.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const uninstallCrio = defineTask({
  name: 'uninstall-crio',
  title: 'Remove all containers, and cri-o with all that came with it',
  plan: ({ cluster, hosts }) => {
    const tools = [installCrictl(CRIO_SOCKET), installCniPlugins()];
    return chain(nodesAmong(hosts), [...crioStepsToUndo(cluster), ...toolsToUndo(tools)]);
  },
});
