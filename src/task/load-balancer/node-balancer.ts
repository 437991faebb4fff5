import { on } from '../../plan/fragment.ts';
import type { Proxy } from '../../step/load-balancer/paths.ts';
import { awaitProxyPod, writeProxyPod } from '../../step/load-balancer/proxy-pod.ts';
import { serveProxy } from '../../step/load-balancer/proxy-service.ts';
import { undo } from '../../step/undo/undo.ts';
import { workersOnly } from '../host-groups.ts';
import { defineTask } from '../task.ts';

const setup = { name: 'setup-node-balancer', title: 'Set up a load balancer on each worker' };
const remove = { name: 'remove-node-balancer', title: 'Remove the load balancers of the workers' };

/** Runs the load balancer as a static Pod. Masters need none: their own API server listens on that port. */
export const setupNodeBalancer = defineTask<Proxy>({
  ...setup,
  plan: ({ cluster, assets, hosts }, proxy) => on(workersOnly(hosts), writeProxyPod(cluster, proxy, assets)),
});

export const removeNodeBalancer = defineTask<Proxy>({
  ...remove,
  plan: ({ hosts }, proxy) => on(workersOnly(hosts), undo(`${proxy}.pod`, `Remove the ${proxy} Pod`)),
});

/** Runs the load balancer as a systemd service, which does not depend on the kubelet. */
export const setupNodeBalancerService = defineTask<Proxy>({
  ...setup,
  plan: ({ cluster, hosts }, proxy) => on(workersOnly(hosts), serveProxy(cluster, proxy, 'itself')),
});

export const removeNodeBalancerService = defineTask<Proxy>({
  ...remove,
  plan: ({ hosts }, proxy) =>
    on(workersOnly(hosts), undo(`${proxy}.serve`, `Stop ${proxy} and restore its configuration`)),
});

export const checkNodeBalancer = defineTask<Proxy>({
  name: 'check-node-balancer',
  title: 'Check the load balancer of each worker',
  plan: ({ cluster, hosts }, proxy) => on(workersOnly(hosts), awaitProxyPod(cluster, proxy)),
});
