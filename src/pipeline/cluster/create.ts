import type { Role } from '../../common/host.ts';
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
  generatePkiModule,
  installKubernetesModule,
  joinModule,
  saveStateModule,
  setUpFirstNodeModule,
  setUpNodesModule,
  updateMastersModule,
} from '../../module/kubernetes.ts';
import { balanceNodesModule, beginVipModule, setupLoadBalancerModule } from '../../module/load-balancer.ts';
import { awaitNetworkModule, installNetworkModule } from '../../module/network.ts';
import { checkHostsModule, prepareAssetsModule, type PreflightOptions } from '../../module/preflight.ts';
import { installRegistryModule, requireRegistryLoginModule } from '../../module/registry.ts';
import { empty, milestone, parallel, perHost, sequence, type PlanFragment } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline, type PipelineContext } from '../pipeline.ts';

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
    plan: (ctx) => planCreation(ctx, { preflight, offline }),
  });

/** Checks end on all hosts before the first host is changed. After that, each host waits only for what it depends on. */
function planCreation({ cluster: { hosts }, module }: PipelineContext, options: Required<CreateOptions>): PlanFragment {
  const { preflight, offline } = options;
  return sequence(
    preflight === 'skip' ? empty : module(checkHostsModule(preflight)),
    module(checkSupportModule),
    module(prepareAssetsModule),
    perHost(
      // An earlier offline run may have left a package repository that replaces those of the host.
      module(offline ? provideSystemPackagesModule : withdrawSystemPackagesModule),
      module(prepareHostsModule),
      // Container runtimes pull from the registry.
      milestone(
        hosts,
        sequence(module(installRegistryModule({ login: 'when hosts have the password' })), module(pushImagesModule())),
      ),
      // Kubelets need their runtime; the control plane needs all of it.
      parallel(
        perHost(module(installRuntimeModule), module(installKubernetesModule)),
        module(installEtcdModule),
        module(setupLoadBalancerModule),
        module(generatePkiModule),
      ),
      milestone(hosts, module(requireRegistryLoginModule)),
      milestone(
        hosts.filter(({ roles }) => roles.some((role) => CONTROL_PLANE_ROLES.has(role))),
        sequence(module(beginVipModule), module(bootstrapModule)),
      ),
      parallel(module(installNetworkModule), module(setUpFirstNodeModule), module(joinModule)),
    ),
    module(balanceNodesModule),
    module(updateMastersModule),
    module(setUpNodesModule),
    module(awaitNetworkModule),
    module(installClusterAddonsModule),
    module(finishHostsModule),
    module(saveStateModule),
    offline ? module(withdrawSystemPackagesModule) : empty,
  );
}

/** The hosts that the control plane needs when it starts; workers may be installed meanwhile. */
const CONTROL_PLANE_ROLES: ReadonlySet<Role> = new Set(['master', 'etcd', 'loadbalancer']);
