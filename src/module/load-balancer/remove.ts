import { empty, sequence, type PlanFragment } from '../../plan/fragment.ts';
import { removeVip } from '../../task/load-balancer/kube-vip.ts';
import { removeNodeBalancer, removeNodeBalancerService } from '../../task/load-balancer/node-balancer.ts';
import { removeLoadBalancer } from '../../task/load-balancer/remove.ts';
import { defineModule, type ModuleContext } from '../module.ts';

/** When the nodes are reset: until then they find the API through it. */
export const removeLoadBalancerModule = defineModule({
  name: 'load-balancer',
  title: 'Take the load balancers away again',
  plan: (ctx) => sequence(removeInternal(ctx), removeExternal(ctx)),
});

function removeInternal({ cluster: { endpoint, kubernetes }, task }: ModuleContext): PlanFragment {
  const { internal } = endpoint;
  switch (internal.type) {
    case 'haproxy':
    case 'nginx':
      return kubernetes.type === 'kubeadm'
        ? task(removeNodeBalancer, { proxy: internal.type, image: '' })
        : task(removeNodeBalancerService, internal.type);
    case 'kube-vip':
      return task(removeVip, { vip: internal, image: '' });
    case 'none':
      return empty;
  }
}

function removeExternal({ cluster: { endpoint }, task }: ModuleContext): PlanFragment {
  const { external } = endpoint;
  switch (external.type) {
    case 'kubexm-kh':
      return task(removeLoadBalancer, { proxy: 'haproxy', virtual: external });
    case 'kubexm-kn':
      return task(removeLoadBalancer, { proxy: 'nginx', virtual: external });
    case 'external':
    case 'none':
      return empty;
  }
}
