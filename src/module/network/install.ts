import { installCni } from '../../task/network/install-cni.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const installNetwork = (assets: Assets): Module =>
  defineModule({
    name: 'network',
    title: 'Let pods reach each other',
    plan: ({ cluster: { network }, task }) => task(installCni, { ...network, fetched: assets }),
  });
