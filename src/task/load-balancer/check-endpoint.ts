import { on } from '../../plan/fragment.ts';
import { reachEndpoint } from '../../step/load-balancer/reach.ts';
import { firstMaster } from '../nodes.ts';
import { defineTask } from '../task.ts';

export const checkEndpoint = defineTask({
  name: 'check-endpoint',
  title: 'See that the API answers at the endpoint of the cluster',
  plan: ({ cluster, hosts }) => on(firstMaster(hosts), reachEndpoint(cluster)),
});
