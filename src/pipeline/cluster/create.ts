import { finishInfrastructure } from '../../module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../../module/infrastructure/prepare.ts';
import { preflight, type PreflightOptions } from '../../module/preflight/check.ts';
import { empty, sequence } from '../../plan/fragment.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** What a user may ask of the creation of a cluster. */
export interface CreateOptions {
  /** `skip` leaves the checks out. */
  readonly preflight?: Partial<PreflightOptions> | 'skip';
}

export const createClusterWith = ({ preflight: checks = {} }: CreateOptions): Pipeline =>
  definePipeline({
    name: 'create-cluster',
    command: 'create cluster',
    title: 'Create a cluster',
    plan: ({ module }) =>
      sequence(
        checks === 'skip' ? empty : module(preflight(checks)),
        module(prepareInfrastructure),
        module(finishInfrastructure),
      ),
  });

export const createCluster = createClusterWith({});
