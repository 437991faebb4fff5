import { empty, sequence } from '../../plan/fragment.ts';
import { checkEndpoint } from '../../task/load-balancer/check-endpoint.ts';
import { setupVip } from '../../task/load-balancer/kube-vip.ts';
import { checkNodeBalancer, setupNodeBalancer } from '../../task/load-balancer/node-balancer.ts';
import { defineModule, type Module } from '../module.ts';
import { imageOf, type BalancerAssets } from './image.ts';

/** When all nodes are there: they joined on a detour to the first master. */
export const balanceNodesModule = (assets: BalancerAssets): Module =>
  defineModule({
    name: 'load-balancer',
    title: 'Let nodes and users reach the API servers, whichever runs',
    plan: ({ cluster: { endpoint, kubernetes }, task }) => {
      const { internal, external } = endpoint;
      // As a service it was there before its worker.
      const nodeBalancer = (proxy: 'haproxy' | 'nginx') =>
        sequence(
          kubernetes.type === 'kubeadm' ? task(setupNodeBalancer, { proxy, image: imageOf(assets, proxy) }) : empty,
          task(checkNodeBalancer, proxy),
        );
      const outside = external.type === 'none' ? empty : task(checkEndpoint);
      switch (internal.type) {
        case 'haproxy':
        case 'nginx':
          return sequence(outside, nodeBalancer(internal.type));
        case 'kube-vip':
          return sequence(
            task(setupVip, { vip: internal, image: imageOf(assets, internal.type) }),
            task(checkEndpoint),
          );
        case 'none':
          return outside;
      }
    },
  });
