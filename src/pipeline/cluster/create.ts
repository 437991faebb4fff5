import type { Family } from '../../common/component-family.ts';
import { installRuntime } from '../../module/container-runtime/install.ts';
import { pushImagesModule } from '../../module/container-runtime/push-images.ts';
import { provideSystemPackages, withdrawSystemPackages } from '../../module/infrastructure/system-packages.ts';
import { finishInfrastructure } from '../../module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../../module/infrastructure/prepare.ts';
import { assetsModule } from '../../module/preflight/assets.ts';
import { preflight, type PreflightOptions } from '../../module/preflight/check.ts';
import { installRegistryModule } from '../../module/registry/install.ts';
import { empty, sequence } from '../../plan/fragment.ts';
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

/** What the modules of this pipeline install. */
export const CREATED: readonly Family[] = ['registry', 'runtime'];

export const createClusterWith = ({ preflight: checks = {}, assets, offline = false }: CreateOptions): Pipeline =>
  definePipeline({
    name: 'create-cluster',
    command: 'create cluster',
    title: 'Create a cluster',
    plan: ({ module }) =>
      sequence(
        checks === 'skip' ? empty : module(preflight(checks)),
        module(assetsModule(assets)),
        // What a run without a network has left would keep hosts from their own repositories.
        module(offline ? provideSystemPackages : withdrawSystemPackages),
        module(prepareInfrastructure),
        module(installRegistryModule(assets)),
        module(pushImagesModule(assets)),
        module(installRuntime(assets)),
        module(finishInfrastructure),
        offline ? module(withdrawSystemPackages) : empty,
      ),
  });
