import { uninstallRuntime } from '../../module/container-runtime/uninstall.ts';
import { restoreInfrastructure } from '../../module/infrastructure/restore.ts';
import { sequence } from '../../plan/fragment.ts';
import { definePipeline } from '../pipeline.ts';

export const deleteCluster = definePipeline({
  name: 'delete-cluster',
  command: 'delete cluster',
  title: 'Delete a cluster and leave the hosts as they were found',
  plan: ({ module }) => sequence(module(uninstallRuntime), module(restoreInfrastructure)),
});
