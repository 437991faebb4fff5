import { chain, on, sequence } from '../../plan/fragment.ts';
import { CRIO_SOCKET, crioSteps } from '../../step/container-runtime/crio/steps.ts';
import { installCniPlugins, installCrictl } from '../../step/container-runtime/tools/tools.ts';
import type { RuntimeAssets } from '../../step/container-runtime/shared/settings.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { nodesAmong } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installCrio = defineTask<RuntimeAssets>({
  name: 'install-crio',
  title: 'Install cri-o with all that it needs, and see a pod run',
  plan: ({ cluster, hosts }, assets) => {
    const nodes = nodesAmong(hosts);
    // The bundle has them; packages do not.
    const bundled = cluster.kubernetes.containerRuntime.from === 'release';
    const tools = bundled ? [] : [installCniPlugins(assets), installCrictl(CRIO_SOCKET, assets)];
    return sequence(chain(nodes, [...tools, ...crioSteps(cluster, assets)]), on(nodes, clearStaging));
  },
});
