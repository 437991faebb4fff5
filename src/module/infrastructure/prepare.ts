import { sequence } from '../../plan/fragment.ts';
import { prepareOs } from '../../task/infrastructure/prepare-os.ts';
import { syncTime } from '../../task/infrastructure/sync-time.ts';
import { defineModule } from '../module.ts';

export const prepareInfrastructure = defineModule({
  name: 'infrastructure',
  title: 'Make the hosts ready for Kubernetes',
  plan: ({ task }) => sequence(task(prepareOs), task(syncTime)),
});
