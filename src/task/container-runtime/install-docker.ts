import { chain, on, sequence } from '../../plan/fragment.ts';
import { DOCKER_SOCKET, dockerSteps } from '../../step/container-runtime/docker/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import type { RuntimeAssets } from '../../step/container-runtime/shared/settings.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installDocker = defineTask<RuntimeAssets>({
  name: 'install-docker',
  title: 'Install docker, cri-dockerd, the CNI plugins and crictl, and see a pod run',
  plan: ({ cluster, hosts }, assets) => {
    const nodes = nodesAmong(hosts);
    const tools = [installCniPlugins(assets), installCrictl(DOCKER_SOCKET, assets)];
    return sequence(chain(nodes, [...tools, ...dockerSteps(cluster, assets)]), on(nodes, clearStaging));
  },
});
