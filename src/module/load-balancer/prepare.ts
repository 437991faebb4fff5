import { empty } from '../../plan/fragment.ts';
import { beginVip } from '../../task/load-balancer/kube-vip.ts';
import { defineModule, type Module } from '../module.ts';
import { imageOf, type BalancerAssets } from './image.ts';

/** Before the first master: its kubelet starts it, and kubeadm finds the endpoint there. */
export const prepareNodeBalancerModule = (assets: BalancerAssets): Module =>
  defineModule({
    name: 'load-balancer',
    title: 'Give the first master the address of the endpoint',
    plan: ({ cluster: { endpoint }, task }) => {
      const { internal } = endpoint;
      switch (internal.type) {
        case 'kube-vip':
          return task(beginVip, { vip: internal, image: imageOf(assets, internal.type) });
        case 'haproxy':
        case 'nginx':
        case 'none':
          return empty;
      }
    },
  });
