import { sequence } from '../../plan/fragment.ts';
import { prepareAssets, type Assets } from '../../task/preflight/prepare-assets.ts';
import { defineModule, type Module } from '../module.ts';

export const assetsModule = (assets: Assets): Module =>
  defineModule({
    name: 'preflight',
    title: 'Find out before anything is changed what would stand in the way',
    plan: ({ task }) => sequence(task(prepareAssets, assets)),
  });
