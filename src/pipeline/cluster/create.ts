import { provideSystemPackages, withdrawSystemPackages } from '../../module/infrastructure/system-packages.ts';
import { finishInfrastructure } from '../../module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../../module/infrastructure/prepare.ts';
import { preflight, type PreflightOptions } from '../../module/preflight/check.ts';
import { empty, sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** What a user may ask of the creation of a cluster. */
export interface CreateOptions {
  /** `skip` leaves the checks out. */
  readonly preflight?: Partial<PreflightOptions> | 'skip';
  /** Hosts get packages of their system from here, where a bundle brought some. */
  readonly offline?: boolean;
}

export const createClusterWith = ({ preflight: checks = {}, offline = false }: CreateOptions): Pipeline =>
  definePipeline({
    name: 'create-cluster',
    command: 'create cluster',
    title: 'Create a cluster',
    plan: ({ module }) =>
      sequence(
        checks === 'skip' ? empty : module(preflight(checks)),
        offline ? module(provideSystemPackages) : empty,
        module(prepareInfrastructure),
        module(finishInfrastructure),
        offline ? module(withdrawSystemPackages) : empty,
      ),
  });

export const createCluster = createClusterWith({});
