import { preflight, type PreflightOptions } from '../../module/preflight/check.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** Only looks. */
export const checkHosts = (options: Partial<PreflightOptions>): Pipeline =>
  definePipeline({
    name: 'check-hosts',
    command: 'check hosts',
    title: 'Check whether hosts are fit for the cluster',
    plan: ({ module }) => module(preflight({ ...options, strict: true })),
  });
