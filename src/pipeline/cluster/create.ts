import { installClusterAddonsModule } from '../../module/addon.ts';
import { installRuntimeModule, pushImagesModule } from '../../module/container-runtime.ts';
import { installEtcdModule } from '../../module/etcd.ts';
import {
  finishHostsModule,
  prepareHostsModule,
  provideSystemPackagesModule,
  withdrawSystemPackagesModule,
} from '../../module/infrastructure.ts';
import {
  bootstrapModule,
  checkSupportModule,
  installKubernetesModule,
  joinModule,
  saveStateModule,
  setUpNodesModule,
  updateMastersModule,
} from '../../module/kubernetes.ts';
import { balanceNodesModule, beginVipModule, setupLoadBalancerModule } from '../../module/load-balancer.ts';
import { awaitNetworkModule, installNetworkModule } from '../../module/network.ts';
import { checkHostsModule, prepareAssetsModule, type PreflightOptions } from '../../module/preflight.ts';
import { installRegistryModule, requireRegistryLoginModule } from '../../module/registry.ts';
import { empty, parallel, sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** Options of `create cluster`. */
export interface CreateOptions {
  /** `skip` leaves out the preflight checks. */
  readonly preflight?: Partial<PreflightOptions> | 'skip';
  /** Hosts install system packages from the bundle instead of their repositories. */
  readonly offline?: boolean;
}

export const createClusterPipeline = ({ preflight = {}, offline = false }: CreateOptions = {}): Pipeline =>
  definePipeline({
    name: 'create-cluster',
    command: 'create cluster',
    title: 'Create a cluster',
    plan: ({ module }) =>
      sequence(
        preflight === 'skip' ? empty : module(checkHostsModule(preflight)),
        module(checkSupportModule),
        module(prepareAssetsModule),
        // An earlier offline run may have left a package repository that replaces those of the host.
        module(offline ? provideSystemPackagesModule : withdrawSystemPackagesModule),
        module(prepareHostsModule),
        module(installRegistryModule({ login: 'when hosts have the password' })),
        module(pushImagesModule()),
        // Kubelets need their runtime; the control plane needs all three.
        parallel(
          sequence(module(installRuntimeModule), module(installKubernetesModule)),
          module(installEtcdModule),
          module(setupLoadBalancerModule),
        ),
        module(requireRegistryLoginModule),
        module(beginVipModule),
        module(bootstrapModule),
        parallel(module(installNetworkModule), module(joinModule)),
        module(balanceNodesModule),
        module(updateMastersModule),
        module(setUpNodesModule),
        module(awaitNetworkModule),
        module(installClusterAddonsModule),
        module(finishHostsModule),
        module(saveStateModule),
        offline ? module(withdrawSystemPackagesModule) : empty,
      ),
  });
