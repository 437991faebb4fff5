import { sequence } from '../../plan/fragment.ts';
import { forgetCluster } from '../../task/infrastructure/forget-cluster.ts';
import { restoreOs } from '../../task/infrastructure/restore-os.ts';
import { restoreTime } from '../../task/infrastructure/restore-time.ts';
import { defineModule } from '../module.ts';

export const restoreInfrastructure = defineModule({
  name: 'infrastructure',
  title: 'Leave the hosts as they were found',
  plan: ({ task }) => sequence(task(restoreTime), task(restoreOs), task(forgetCluster)),
});
