import { chain } from '../../plan/fragment.ts';
import { serveKeepalived } from '../../step/load-balancer/keepalived.ts';
import { serveProxy } from '../../step/load-balancer/proxy.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { defineTask } from '../task.ts';
import type { LoadBalancerInput } from './setup.ts';

export const removeLoadBalancer = defineTask<LoadBalancerInput>({
  name: 'remove-load-balancer',
  title: 'Put back what was on the load balancers',
  plan: ({ cluster, hosts }, { proxy, virtual }) =>
    chain(
      hosts.withRole('loadbalancer'),
      [serveKeepalived(cluster, virtual), serveProxy(cluster, proxy, 'all')].map(reverse),
    ),
});
