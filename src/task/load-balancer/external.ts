import { chain, on, sequence } from '../../plan/fragment.ts';
import { followApiServers, serveKeepalived, type VirtualIp } from '../../step/load-balancer/keepalived.ts';
import type { Proxy } from '../../step/load-balancer/paths.ts';
import { serveProxy } from '../../step/load-balancer/proxy-service.ts';
import { awaitEndpoint } from '../../step/load-balancer/await-endpoint.ts';
import { verifyVip } from '../../step/load-balancer/verify-vip.ts';
import { undo } from '../../step/undo/undo.ts';
import { firstMaster } from '../host-groups.ts';
import { defineTask } from '../task.ts';

/** The proxy in front of the masters, and the virtual IP that keepalived moves between the load balancers. */
export interface LoadBalancerInput {
  readonly proxy: Proxy;
  readonly virtual: VirtualIp;
  /** Host names; without them all load balancers are set up at the same time. */
  readonly order?: readonly string[] | undefined;
}

export const setupLoadBalancer = defineTask<LoadBalancerInput>({
  name: 'setup-load-balancer',
  title: 'Set up the load balancers',
  plan: ({ cluster, hosts, local }, { proxy, virtual, order }) => {
    const balancers = hosts.withRole('loadbalancer');
    const steps = [serveProxy(cluster, proxy, 'all'), serveKeepalived(cluster, proxy, virtual)];
    const ordered = order?.flatMap((name) => balancers.filter((host) => host.name === name));
    return sequence(
      ...(ordered ? ordered.map((host) => chain(host, steps)) : [chain(balancers, steps)]),
      on(local, verifyVip(cluster, virtual.address)),
    );
  },
});

/** After the first API server runs: until then the virtual IP must not depend on one. */
export const followApi = defineTask({
  name: 'follow-api-servers',
  title: 'Let the virtual IP follow the API servers',
  plan: ({ hosts }) => on(hosts.withRole('loadbalancer'), followApiServers),
});

export const removeLoadBalancer = defineTask<Proxy>({
  name: 'remove-load-balancer',
  title: 'Remove the load balancers',
  plan: ({ hosts }, proxy) =>
    chain(hosts.withRole('loadbalancer'), [
      undo('keepalived.follow', 'Remove the API server marker of the load balancer'),
      undo('keepalived.serve', 'Stop keepalived and restore its configuration'),
      undo(`${proxy}.serve`, `Stop ${proxy} and restore its configuration`),
    ]),
});

export const checkEndpoint = defineTask({
  name: 'check-endpoint',
  title: 'Check that the API server responds at the endpoint',
  plan: ({ cluster, hosts }) => on(firstMaster(hosts), awaitEndpoint(cluster)),
});
