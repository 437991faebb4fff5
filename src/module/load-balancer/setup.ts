import { empty } from '../../plan/fragment.ts';
import { setupLoadBalancer } from '../../task/load-balancer/setup.ts';
import { defineModule } from '../module.ts';

/** Before the first master: it asks for itself at the virtual address. */
export const setupLoadBalancerModule = defineModule({
  name: 'load-balancer',
  title: 'Have load balancers in front of the masters',
  plan: ({ cluster: { endpoint }, task }) => {
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
  },
});
