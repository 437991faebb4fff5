import type { Family } from '../../common/component-family.ts';
import { installAddonsModule } from '../../module/addon/install.ts';
import { installRuntime } from '../../module/container-runtime/install.ts';
import { pushImagesModule } from '../../module/container-runtime/push-images.ts';
import { installEtcdModule } from '../../module/etcd/install.ts';
import { provideSystemPackages, withdrawSystemPackages } from '../../module/infrastructure/system-packages.ts';
import { finishInfrastructure } from '../../module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../../module/infrastructure/prepare.ts';
import { checkSupportModule } from '../../module/kubernetes/check-support.ts';
import {
  bootstrapModule,
  installKubernetesModule,
  joinModule,
  setUpNodesModule,
} from '../../module/kubernetes/install.ts';
import { balanceNodesModule } from '../../module/load-balancer/balance-nodes.ts';
import { prepareNodeBalancerModule } from '../../module/load-balancer/prepare.ts';
import { setupLoadBalancerModule } from '../../module/load-balancer/setup.ts';
import { saveStateModule } from '../../module/kubernetes/save-state.ts';
import { installNetwork } from '../../module/network/install.ts';
import { assetsModule } from '../../module/preflight/assets.ts';
import { preflight, type PreflightOptions } from '../../module/preflight/check.ts';
import { installRegistryModule } from '../../module/registry/install.ts';
import { empty, parallel, sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** What a user may ask of the creation of a cluster, and what it is made from. */
export interface CreateOptions {
  /** `skip` leaves the checks out. */
  readonly preflight?: Partial<PreflightOptions> | 'skip';
  /** Of the families that the modules below install. */
  readonly assets: Parameters<typeof assetsModule>[0];
  /** Hosts get packages of their system from here, where a bundle brought some. */
  readonly offline?: boolean;
}

/** What the modules of this pipeline install, by their names. */
export const CREATED: Readonly<Record<string, readonly Family[]>> = {
  registry: ['registry'],
  'container-runtime': ['runtime'],
  etcd: ['etcd'],
  kubernetes: ['kubernetes', 'etcd'],
  network: ['network'],
  'load-balancer': ['load-balancer'],
  // The images of DNS are those of Kubernetes.
  addon: ['addons', 'kubernetes'],
};

export const createClusterWith = ({ preflight: checks = {}, assets, offline = false }: CreateOptions): Pipeline =>
  definePipeline({
    name: 'create-cluster',
    command: 'create cluster',
    title: 'Create a cluster',
    plan: ({ module }) =>
      sequence(
        checks === 'skip' ? empty : module(preflight(checks)),
        module(checkSupportModule),
        module(assetsModule(assets)),
        // What a run without a network has left would keep hosts from their own repositories.
        module(offline ? provideSystemPackages : withdrawSystemPackages),
        module(prepareInfrastructure),
        module(installRegistryModule(assets)),
        module(pushImagesModule(assets)),
        // The kubelets wait for their runtime, the control plane for both.
        parallel(
          sequence(module(installRuntime(assets)), module(installKubernetesModule(assets))),
          module(installEtcdModule(assets)),
          module(setupLoadBalancerModule),
        ),
        module(prepareNodeBalancerModule(assets)),
        module(bootstrapModule(assets)),
        parallel(module(installNetwork(assets)), module(joinModule(assets))),
        module(balanceNodesModule(assets)),
        module(setUpNodesModule),
        module(installAddonsModule(assets)),
        module(finishInfrastructure),
        module(saveStateModule(assets)),
        offline ? module(withdrawSystemPackages) : empty,
      ),
  });
