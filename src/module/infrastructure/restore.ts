import { sequence } from '../../plan/fragment.ts';
import { forgetCluster } from '../../task/infrastructure/forget-cluster.ts';
import { restoreOs } from '../../task/infrastructure/restore-os.ts';
import { defineModule } from '../module.ts';

export const restoreInfrastructure = defineModule({
  name: 'infrastructure',
  title: 'Leave the hosts as they were found',
  plan: ({ task }) => sequence(task(restoreOs), task(forgetCluster)),
});
