import { empty } from '../../plan/fragment.ts';
import { beginVip } from '../../task/load-balancer/kube-vip.ts';
import { setupNodeBalancer } from '../../task/load-balancer/node-balancer.ts';
import { defineModule, type Module } from '../module.ts';
import { imageOf, type BalancerAssets } from './image.ts';

/** Before the kubelets of the hosts run: they start it by themselves. */
export const prepareNodeBalancerModule = (assets: BalancerAssets): Module =>
  defineModule({
    name: 'load-balancer',
    title: 'Give nodes what leads them to the API servers',
    plan: ({ cluster: { endpoint }, task }) => {
      const { internal } = endpoint;
      switch (internal.type) {
        case 'haproxy':
        case 'nginx':
          return task(setupNodeBalancer, { proxy: internal.type, image: imageOf(assets, internal.type) });
        case 'kube-vip':
          return task(beginVip, { vip: internal, image: imageOf(assets, internal.type) });
        case 'none':
          return empty;
      }
    },
  });
