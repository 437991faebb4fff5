import { on } from '../../plan/fragment.ts';
import { settleCoreDns } from '../../step/addon/coredns.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const installCoreDns = defineTask({
  name: 'install-coredns',
  title: 'Let names in the cluster be answered',
  plan: ({ cluster, hosts }) => on(firstMaster(hosts), settleCoreDns(cluster)),
});
