import { empty } from '../../plan/fragment.ts';
import { pushImages } from '../../task/container-runtime/push-images.ts';
import type { Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const pushImagesModule = (assets: Assets): Module =>
  defineModule({
    name: 'container-runtime',
    title: 'Bring images to where runtimes pull them from',
    plan: ({ cluster: { registry }, task }) =>
      registry.type === 'registry' || registry.type === 'harbor' ? task(pushImages, { registry, assets }) : empty,
  });
