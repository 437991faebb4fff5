import { sequence } from '../../plan/fragment.ts';
import { resetNodes } from '../../task/kubernetes/reset-node.ts';
import { uninstallKubernetes } from '../../task/kubernetes/uninstall-kubernetes.ts';
import { defineModule } from '../module.ts';

export const uninstallKubernetesModule = defineModule({
  name: 'kubernetes',
  title: 'Take Kubernetes from the hosts',
  plan: ({ task }) => sequence(task(resetNodes), task(uninstallKubernetes)),
});
