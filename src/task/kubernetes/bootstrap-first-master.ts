import { chain } from '../../plan/fragment.ts';
import { initFirstMaster } from '../../step/kubernetes/init.ts';
import { initPlan } from '../../step/kubernetes/plans.ts';
import { runKubelet } from '../../step/kubernetes/run-kubelet.ts';
import { firstMaster } from '../nodes.ts';
import type { Assets } from '../preflight/prepare-assets.ts';
import { defineTask } from '../task.ts';

export const bootstrapFirstMaster = defineTask<Assets>({
  name: 'bootstrap-first-master',
  title: 'Start the control plane on the first master',
  plan: ({ cluster, hosts }, { images }) =>
    chain(firstMaster(hosts), [initFirstMaster(initPlan(cluster, images)), runKubelet]),
});
