import { on } from '../../plan/fragment.ts';
import type { Proxy } from '../../step/load-balancer/places.ts';
import { awaitBalancer, writeBalancerPod } from '../../step/load-balancer/pod.ts';
import { serveProxy } from '../../step/load-balancer/proxy.ts';
import { reverse } from '../../step/contract/reverse.ts';
import { workersOnly } from '../nodes.ts';
import { defineTask } from '../task.ts';

/** What runs on the workers, and from which image. On a master the API server itself has the port. */
export interface NodeBalancerInput {
  readonly proxy: Proxy;
  readonly image: string;
}

export const setupNodeBalancer = defineTask<NodeBalancerInput>({
  name: 'setup-node-balancer',
  title: 'Give each worker a load balancer of its own',
  plan: ({ cluster, hosts }, { proxy, image }) => on(workersOnly(hosts), writeBalancerPod(cluster, proxy, image)),
});

export const checkNodeBalancer = defineTask<Proxy>({
  name: 'check-node-balancer',
  title: 'See that the load balancer of each worker answers',
  plan: ({ cluster, hosts }, proxy) => on(workersOnly(hosts), awaitBalancer(cluster, proxy)),
});

export const removeNodeBalancer = defineTask<NodeBalancerInput>({
  name: 'remove-node-balancer',
  title: 'Take the load balancers of the workers away',
  plan: ({ cluster, hosts }, { proxy, image }) =>
    on(workersOnly(hosts), reverse(writeBalancerPod(cluster, proxy, image))),
});

/** The same as services of their hosts, which do not have to wait for a kubelet. */
export const serveNodeBalancer = defineTask<Proxy>({
  name: 'setup-node-balancer',
  title: 'Give each worker a load balancer of its own',
  plan: ({ cluster, hosts }, proxy) => on(workersOnly(hosts), serveProxy(cluster, proxy, 'itself')),
});

export const removeNodeBalancerService = defineTask<Proxy>({
  name: 'remove-node-balancer',
  title: 'Take the load balancers of the workers away',
  plan: ({ cluster, hosts }, proxy) => on(workersOnly(hosts), reverse(serveProxy(cluster, proxy, 'itself'))),
});
