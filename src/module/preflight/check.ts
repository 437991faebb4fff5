import { checkHosts, DEFAULT_PREFLIGHT } from '../../task/preflight/check-hosts.ts';
import { defineModule, type Module } from '../module.ts';

/** How hosts are checked. */
export type PreflightOptions = typeof DEFAULT_PREFLIGHT;

/** Looks at all hosts before anything is changed. */
export const preflight = (options: Partial<PreflightOptions> = {}): Module =>
  defineModule({
    name: 'preflight',
    title: 'Look before anything is changed',
    plan: ({ task }) => task(checkHosts, { ...DEFAULT_PREFLIGHT, ...options }),
  });
