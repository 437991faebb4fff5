import { empty, sequence } from '../../plan/fragment.ts';
import { checkEndpoint } from '../../task/load-balancer/check-endpoint.ts';
import { setupVip } from '../../task/load-balancer/kube-vip.ts';
import { checkNodeBalancer } from '../../task/load-balancer/node-balancer.ts';
import { defineModule, type Module } from '../module.ts';
import { imageOf, type BalancerAssets } from './image.ts';

/** When all nodes are there. */
export const verifyLoadBalancerModule = (assets: BalancerAssets): Module =>
  defineModule({
    name: 'load-balancer',
    title: 'See that nodes and users reach the API servers',
    plan: ({ cluster: { endpoint }, task }) => {
      const { internal, external } = endpoint;
      const outside = external.type === 'none' ? empty : task(checkEndpoint);
      switch (internal.type) {
        case 'haproxy':
        case 'nginx':
          return sequence(
            outside,
            task(checkNodeBalancer, { proxy: internal.type, image: imageOf(assets, internal.type) }),
          );
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
