import { chain, on, sequence } from '../../plan/fragment.ts';
import { serveKeepalived, type VirtualAddress } from '../../step/load-balancer/keepalived.ts';
import type { Proxy } from '../../step/load-balancer/places.ts';
import { serveProxy } from '../../step/load-balancer/proxy.ts';
import { verifyVirtualAddress } from '../../step/load-balancer/verify.ts';
import { defineTask } from '../task.ts';

/** What is in front of the masters, and the address that it shares. */
export interface LoadBalancerInput {
  readonly proxy: Proxy;
  readonly virtual: VirtualAddress;
}

export const setupLoadBalancer = defineTask<LoadBalancerInput>({
  name: 'setup-load-balancer',
  title: 'Put load balancers with a virtual address in front of the API servers',
  plan: ({ cluster, hosts, local }, { proxy, virtual }) =>
    sequence(
      chain(hosts.withRole('loadbalancer'), [serveProxy(cluster, proxy, 'all'), serveKeepalived(cluster, virtual)]),
      on(local, verifyVirtualAddress(cluster, virtual.address)),
    ),
});
