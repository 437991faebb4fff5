import { chain, on, sequence } from '../../plan/fragment.ts';
import { ISULAD_SOCKET, isuladSteps } from '../../step/container-runtime/isulad/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import type { RuntimeAssets } from '../../step/container-runtime/shared/settings.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installIsulad = defineTask<RuntimeAssets>({
  name: 'install-isulad',
  title: 'Install iSulad, the CNI plugins and crictl, and see a pod run',
  plan: ({ cluster, hosts }, assets) => {
    const nodes = nodesAmong(hosts);
    const tools = [installCniPlugins(assets), installCrictl(ISULAD_SOCKET, assets)];
    return sequence(chain(nodes, [...tools, ...isuladSteps(cluster, assets)]), on(nodes, clearStaging));
  },
});
