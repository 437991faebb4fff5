import { chain, on, sequence } from '../../plan/fragment.ts';
import { CONTAINERD_SOCKET, containerdSteps } from '../../step/container-runtime/containerd/steps.ts';
import type { RuntimeAssets } from '../../step/container-runtime/shared/settings.ts';
import { installCniPlugins, installCrictl, installRunc } from '../../step/container-runtime/tools/tools.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installContainerd = defineTask<RuntimeAssets>({
  name: 'install-containerd',
  title: 'Install containerd, runc, the CNI plugins and crictl, and see a pod run',
  plan: ({ cluster, hosts }, assets) => {
    const nodes = nodesAmong(hosts);
    const tools = [installRunc(assets), installCniPlugins(assets), installCrictl(CONTAINERD_SOCKET, assets)];
    return sequence(chain(nodes, [...tools, ...containerdSteps(cluster, assets)]), on(nodes, clearStaging));
  },
});
