import { on } from '../../plan/fragment.ts';
import { timeService } from '../../step/os/time.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';

export const restoreTime = defineTask({
  name: 'restore-time',
  title: 'Undo what sync-time changed',
  plan: ({ cluster, hosts }) => on(hosts.all, reverse(timeService(cluster))),
});
