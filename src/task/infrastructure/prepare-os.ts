import { chain } from '../../plan/fragment.ts';
import { osSteps } from '../../step/os/steps.ts';
import { defineTask } from '../task.ts';

export const prepareOs = defineTask({
  name: 'prepare-os',
  title: 'Make every host ready for Kubernetes',
  plan: ({ cluster, hosts }) => chain(hosts.all, osSteps(cluster)),
});
