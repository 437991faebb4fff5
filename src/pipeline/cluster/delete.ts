import { uninstallHelmModule } from '../../module/addon.ts';
import { uninstallRuntimeModule } from '../../module/container-runtime.ts';
import { uninstallEtcdModule } from '../../module/etcd.ts';
import { restoreHostsModule } from '../../module/infrastructure.ts';
import { uninstallKubernetesModule } from '../../module/kubernetes.ts';
import { removeLoadBalancerModule } from '../../module/load-balancer.ts';
import { uninstallRegistryModule } from '../../module/registry.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** Options of `delete cluster`. */
export interface DeleteOptions {
  /** Keeps the images of the registry and the data of etcd on the hosts. */
  readonly preserveData: boolean;
}

export const deleteClusterPipeline = (options: DeleteOptions = { preserveData: false }): Pipeline =>
  definePipeline({
    name: 'delete-cluster',
    command: 'delete cluster',
    title: 'Delete a cluster and restore its hosts',
    plan: ({ module }) =>
      sequence(
        module(uninstallKubernetesModule(options)),
        module(uninstallHelmModule),
        module(removeLoadBalancerModule),
        module(uninstallEtcdModule(options)),
        module(uninstallRuntimeModule),
        module(uninstallRegistryModule(options)),
        module(restoreHostsModule),
      ),
  });
