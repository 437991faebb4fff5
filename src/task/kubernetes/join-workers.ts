import { chain } from '../../plan/fragment.ts';
import { joinNode } from '../../step/kubernetes/join.ts';
import { joinPlan } from '../../step/kubernetes/plans.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { firstMaster, workersOnly } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const joinWorkers = defineTask({
  name: 'join-workers',
  title: 'Join the workers, all at once',
  plan: ({ cluster, hosts }) => {
    const join = joinNode('kubeadm.join-worker', joinPlan(cluster, firstMaster(hosts)));
    return chain(workersOnly(hosts), [join, runKubelet]);
  },
});
