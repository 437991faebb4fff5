import { chain } from '../../plan/fragment.ts';
import { DOCKER_SOCKET, dockerStepsToUndo } from '../../step/container-runtime/docker/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import { toolsToUndo } from '../../step/container-runtime/tools/undo.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const uninstallDocker = defineTask({
  name: 'uninstall-docker',
  title: 'Remove all containers, and docker with all that came with it',
  plan: ({ cluster, hosts }) => {
    const tools = [installCrictl(DOCKER_SOCKET), installCniPlugins()];
    return chain(nodesAmong(hosts), [...dockerStepsToUndo(cluster), ...toolsToUndo(tools)]);
  },
});
