import { chain } from '../../plan/fragment.ts';
import { osStepsToUndo } from '../../step/os/steps.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';

export const restoreOs = defineTask({
  name: 'restore-os',
  title: 'Undo what prepare-os changed, last first',
  plan: ({ cluster, hosts }) => chain(hosts.all, osStepsToUndo(cluster).map(reverse)),
});
