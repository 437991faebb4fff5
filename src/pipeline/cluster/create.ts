import { finishInfrastructure } from '../../module/infrastructure/finish.ts';
import { prepareInfrastructure } from '../../module/infrastructure/prepare.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline } from '../pipeline.ts';

export const createCluster = definePipeline({
  name: 'create-cluster',
  command: 'create cluster',
  title: 'Create a cluster',
  plan: ({ module }) => sequence(module(prepareInfrastructure), module(finishInfrastructure)),
});
