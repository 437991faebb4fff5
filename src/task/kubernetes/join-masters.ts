import { chain, sequence } from '../../plan/fragment.ts';
import { joinNode } from '../../step/kubernetes/join.ts';
import { joinPlan } from '../../step/kubernetes/plans.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** One at a time: each changes the quorum of etcd. */
export const joinMasters = defineTask({
  name: 'join-masters',
  title: 'Join the other masters, one after another',
  plan: ({ cluster, hosts }) => {
    const join = joinNode('kubeadm.join-master', joinPlan(cluster, firstMaster(hosts)));
    const others = hosts.withRole('master').slice(1);
    return sequence(...others.map((host) => chain(host, [join, runKubelet])));
  },
});
