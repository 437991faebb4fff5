import { sequence } from '../plan/fragment.ts';
import { packageOffline, prepareAssets, type Packaging } from '../task/preflight/assets.ts';
import { checkHosts, DEFAULT_PREFLIGHT } from '../task/preflight/check-hosts.ts';
import { defineModule, type Module } from './module.ts';

/** How hosts are checked. */
export type PreflightOptions = typeof DEFAULT_PREFLIGHT;

export const checkHostsModule = (options: Partial<PreflightOptions> = {}): Module =>
  defineModule({
    name: 'preflight',
    title: 'Check the hosts',
    plan: ({ task }) => task(checkHosts, { ...DEFAULT_PREFLIGHT, ...options }),
  });

export const prepareAssetsModule = defineModule({
  name: 'preflight',
  title: 'Download artifacts',
  plan: ({ task }) => task(prepareAssets),
});

export const packageModule = (packaging: Packaging): Module =>
  defineModule({
    name: 'preflight',
    title: 'Package artifacts',
    plan: ({ task }) => sequence(task(prepareAssets), task(packageOffline, packaging)),
  });
