import { createConsole } from '../../../../src/cli/console.ts';
import type { PipelineCall } from '../../../../src/cli/execute/run-pipeline.ts';

/** A confirmed call of a command that runs a pipeline. */
export const pipelineCall = (workdir: string, options: Partial<PipelineCall['options']> = {}): PipelineCall => ({
  options: {
    file: undefined,
    clusterName: undefined,
    extraVars: [],
    sshUser: undefined,
    sshPrivateKey: undefined,
    hostKeys: undefined,
    nodes: [],
    tags: [],
    skipTags: [],
    noRollback: false,
    dryRun: false,
    resume: false,
    maxSetAside: undefined,
    metricsListen: undefined,
    metricsFile: undefined,
    output: 'text',
    ...options,
  },
  global: { verbose: false, logFormat: 'text', color: false, workdir, yes: true },
  console: createConsole({ color: false, json: false, verbose: false }),
});
