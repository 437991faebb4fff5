import { chain } from '../../plan/fragment.ts';
import { ISULAD_SOCKET, isuladStepsToUndo } from '../../step/container-runtime/isulad/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { toolsToUndo } from '../../step/container-runtime/tools/undo.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const uninstallIsulad = defineTask({
  name: 'uninstall-isulad',
  title: 'Remove all containers, and iSulad with all that came with it',
  plan: ({ cluster, hosts }) => {
    const tools = [installCrictl(ISULAD_SOCKET), installCniPlugins()];
    return chain(nodesAmong(hosts), [...isuladStepsToUndo(cluster), ...toolsToUndo(tools)]);
  },
});
