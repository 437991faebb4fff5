import { empty, parallel, type PlanFragment } from '../../plan/fragment.ts';
import { serveNodeBalancer } from '../../task/load-balancer/node-balancer.ts';
import { setupLoadBalancer } from '../../task/load-balancer/setup.ts';
import { defineModule, type ModuleContext } from '../module.ts';

/** Before the first master: it asks for itself at the virtual address, and nodes from binaries join through their own. */
export const setupLoadBalancerModule = defineModule({
  name: 'load-balancer',
  title: 'Have load balancers in front of the masters',
  plan: (ctx) => parallel(setupExternal(ctx), setupInternal(ctx)),
});

function setupExternal({ cluster: { endpoint }, task }: ModuleContext): PlanFragment {
  const { external } = endpoint;
  switch (external.type) {
    case 'kubexm-kh':
      return task(setupLoadBalancer, { proxy: 'haproxy', virtual: external });
    case 'kubexm-kn':
      return task(setupLoadBalancer, { proxy: 'nginx', virtual: external });
    case 'external':
    case 'none':
      return empty;
  }
}

/** Those of kubeadm's workers are pods, which come when there are kubelets. */
function setupInternal({ cluster: { endpoint, kubernetes }, task }: ModuleContext): PlanFragment {
  const { internal } = endpoint;
  switch (internal.type) {
    case 'haproxy':
    case 'nginx':
      return kubernetes.type === 'kubexm' ? task(serveNodeBalancer, internal.type) : empty;
    case 'kube-vip':
    case 'none':
      return empty;
  }
}
