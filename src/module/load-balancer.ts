import { empty, parallel, sequence, type PlanFragment } from '../plan/fragment.ts';
import { checkEndpoint, followApi, removeLoadBalancer, setupLoadBalancer } from '../task/load-balancer/external.ts';
import { beginVip, removeVip, setupVip } from '../task/load-balancer/kube-vip.ts';
import {
  checkNodeBalancer,
  removeNodeBalancer,
  removeNodeBalancerService,
  setupNodeBalancer,
  setupNodeBalancerService,
} from '../task/load-balancer/node-balancer.ts';
import { defineModule, type Module, type ModuleContext } from './module.ts';

const loadBalancer = { name: 'load-balancer', installs: ['load-balancer'] } as const;

/**
 * Runs before the first master is initialized: it connects to itself through the virtual IP, and nodes in binary mode
 * join through their own load balancer.
 */
export const setupLoadBalancerModule = defineModule({
  ...loadBalancer,
  title: 'Set up the load balancers',
  plan: (ctx) => parallel(setupExternal(ctx), setupInternal(ctx)),
});

/** Updates the load balancers of a running cluster in this order, one after another. */
export const updateLoadBalancersModule = (order: readonly string[]): Module =>
  defineModule({
    ...loadBalancer,
    title: 'Update the load balancers',
    plan: (ctx) => (order.length === 0 ? empty : setupExternal(ctx, order)),
  });

/** Sets up the load balancers of nodes that run as services. */
export const setupNodeBalancersModule = defineModule({
  ...loadBalancer,
  title: 'Set up the load balancers of the nodes',
  plan: setupInternal,
});

function setupExternal({ cluster: { endpoint }, task }: ModuleContext, order?: readonly string[]): PlanFragment {
  const { external } = endpoint;
  switch (external.type) {
    case 'kubexm-kh':
      return task(setupLoadBalancer, { proxy: 'haproxy', virtual: external, order });
    case 'kubexm-kn':
      return task(setupLoadBalancer, { proxy: 'nginx', virtual: external, order });
    case 'external':
    case 'none':
      return empty;
  }
}

/** With kubeadm the load balancers of workers are Pods, which need kubelets: see `balanceNodesModule`. */
function setupInternal({ cluster: { endpoint, kubernetes }, task }: ModuleContext): PlanFragment {
  const { internal } = endpoint;
  switch (internal.type) {
    case 'haproxy':
    case 'nginx':
      return kubernetes.type === 'kubexm' ? task(setupNodeBalancerService, internal.type) : empty;
    case 'kube-vip':
    case 'none':
      return empty;
  }
}

/** Runs before the first master is initialized: its kubelet starts kube-vip, and kubeadm connects to the endpoint. */
export const beginVipModule = defineModule({
  ...loadBalancer,
  title: 'Start kube-vip',
  plan: ({ cluster: { endpoint }, task }) => {
    const { internal } = endpoint;
    switch (internal.type) {
      case 'kube-vip':
        return task(beginVip, internal);
      case 'haproxy':
      case 'nginx':
      case 'none':
        return empty;
    }
  },
});

/** Runs after all nodes have joined: until then they use the first master. */
export const balanceNodesModule = defineModule({
  ...loadBalancer,
  title: 'Connect the nodes to all API servers',
  plan: ({ cluster: { endpoint, kubernetes }, task }) => {
    const { internal, external } = endpoint;
    const follow = external.type === 'kubexm-kh' || external.type === 'kubexm-kn' ? task(followApi) : empty;
    const outside = external.type === 'none' ? empty : sequence(task(checkEndpoint), follow);
    switch (internal.type) {
      case 'haproxy':
      case 'nginx':
        return sequence(
          outside,
          kubernetes.type === 'kubeadm' ? task(setupNodeBalancer, internal.type) : empty,
          task(checkNodeBalancer, internal.type),
        );
      case 'kube-vip':
        return sequence(task(setupVip, internal), task(checkEndpoint));
      case 'none':
        return outside;
    }
  },
});

/** Runs after the nodes are reset: until then they reach the API server through it. */
export const removeLoadBalancerModule = defineModule({
  name: loadBalancer.name,
  title: 'Remove the load balancers',
  plan: (ctx) => sequence(removeInternal(ctx), removeExternal(ctx)),
});

function removeInternal({ cluster: { endpoint, kubernetes }, task }: ModuleContext): PlanFragment {
  const { internal } = endpoint;
  switch (internal.type) {
    case 'haproxy':
    case 'nginx':
      return task(kubernetes.type === 'kubeadm' ? removeNodeBalancer : removeNodeBalancerService, internal.type);
    case 'kube-vip':
      return task(removeVip, internal);
    case 'none':
      return empty;
  }
}

function removeExternal({ cluster: { endpoint }, task }: ModuleContext): PlanFragment {
  switch (endpoint.external.type) {
    case 'kubexm-kh':
      return task(removeLoadBalancer, 'haproxy');
    case 'kubexm-kn':
      return task(removeLoadBalancer, 'nginx');
    case 'external':
    case 'none':
      return empty;
  }
}
