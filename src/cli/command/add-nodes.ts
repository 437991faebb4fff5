import { defineCommand } from '../command.ts';
import { loadOfflineBundles, offlineOptions } from '../options/artifacts.ts';
import { pipelineOptions } from '../options/pipeline.ts';

const { nodes: _, ...runOptions } = pipelineOptions;

export const addNodesCommand = defineCommand({
  path: 'add nodes',
  summary: 'Add hosts of the cluster file to a running cluster',
  description:
    'Adds the hosts and roles that are in the cluster file but not in the cluster: workers at the same time, masters and etcd members one after another. Connects only to hosts that have to change.',
  options: {
    ...runOptions,
    ...offlineOptions,
    skipPreflight: { type: 'flag', summary: 'skip the preflight checks' },
    ignorePreflight: { type: 'list', value: 'IDS', summary: 'continue despite errors in these checks, e.g. PF3,PF9' },
  },
  examples: [
    { command: 'kubexm add nodes -f cluster.yaml --dry-run', does: 'Show which hosts would be added and changed' },
    { command: 'kubexm add nodes -f cluster.yaml', does: 'Add the hosts that are new in the cluster file' },
    { command: 'kubexm add nodes -f cluster.yaml --resume', does: 'Resume after a failure' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { addNodesPipeline } = await import('../../pipeline/nodes/add.ts');
    const { findAddition } = await import('../../runtime/membership/find-addition.ts');
    const { checkIds } = await import('../../runtime/run/check-hosts.ts');
    const { abortOnInterrupt } = await import('../interrupts.ts');
    const { skipPreflight, ignorePreflight } = call.options;
    const ignore = checkIds(ignorePreflight);
    return runPipeline(
      { ...call, options: { ...call.options, nodes: [] } },
      async ({ diagnostics, location }, open) => {
        const session = await open();
        call.console.progress({ task: `Inspecting ${session.cluster.name}` });
        const addition = await abortOnInterrupt((signal) => findAddition(session, location.workdir, signal));
        if (!addition) return { nothing: 'Nothing to do: the cluster has all hosts of the cluster file.' };
        const offline = await loadOfflineBundles(call.options, call.console);
        const preflight = skipPreflight ? 'skip' : { ignore, lint: diagnostics };
        return {
          pipeline: addNodesPipeline(addition, { preflight, offline }),
          assets: { type: 'catalog', offline },
        };
      },
    );
  },
});
