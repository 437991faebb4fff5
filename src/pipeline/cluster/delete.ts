import { uninstallAddonsModule } from '../../module/addon/uninstall.ts';
import { uninstallRuntime } from '../../module/container-runtime/uninstall.ts';
import { uninstallEtcdModule } from '../../module/etcd/uninstall.ts';
import { restoreInfrastructure } from '../../module/infrastructure/restore.ts';
import { uninstallKubernetesModule } from '../../module/kubernetes/uninstall.ts';
import { removeLoadBalancerModule } from '../../module/load-balancer/remove.ts';
import { uninstallRegistryModule } from '../../module/registry/uninstall.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** What a user may ask of the removal of a cluster. */
export interface DeleteOptions {
  /** What people put there stays on the hosts: the images of the registry, the data of etcd. */
  readonly preserveData: boolean;
}

export const deleteClusterWith = ({ preserveData }: DeleteOptions): Pipeline =>
  definePipeline({
    name: 'delete-cluster',
    command: 'delete cluster',
    title: 'Delete a cluster and leave the hosts as they were found',
    plan: ({ module }) =>
      sequence(
        module(uninstallKubernetesModule({ preserveData })),
        module(uninstallAddonsModule),
        module(removeLoadBalancerModule),
        module(uninstallEtcdModule({ preserveData })),
        module(uninstallRuntime),
        module(uninstallRegistryModule({ preserveData })),
        module(restoreInfrastructure),
      ),
  });

export const deleteCluster = deleteClusterWith({ preserveData: false });
