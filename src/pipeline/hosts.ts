import { checkHostsModule, type PreflightOptions } from '../module/preflight.ts';
import { definePipeline, type Pipeline } from './pipeline.ts';

/** Read-only. Unreachable hosts are reported as findings. */
export const checkHostsPipeline = (options: Partial<PreflightOptions>): Pipeline =>
  definePipeline({
    name: 'check-hosts',
    command: 'check hosts',
    title: 'Check the hosts of a cluster',
    plan: ({ module }) => module(checkHostsModule({ ...options, strict: true })),
  });
