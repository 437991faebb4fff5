import { defineCommand } from '../command.ts';
import { clusterHosts } from '../options/cluster-hosts.ts';
import { drainOptions } from '../options/drain.ts';
import { pipelineOptions } from '../options/pipeline.ts';

const { nodes: _, tags: __, skipTags: ___, ...runOptions } = pipelineOptions;
const { deleteEmptydirData: ____, ...drainNodeOptions } = drainOptions;

export const deleteNodesCommand = defineCommand({
  path: 'delete nodes',
  summary: 'Remove hosts from a running cluster and restore them to their original state',
  description:
    'Removes hosts of any role, including the first master: drains the nodes, updates load balancers, removes etcd members and Node objects, resets the hosts, and removes them from the cluster file. Keeps a copy of the old file in the same directory.\nExits with 14 before anything is changed if the etcd quorum, the last master or running pods that no other node accepts would be lost. --force does not allow the loss of the quorum.',
  options: {
    ...runOptions,
    nodes: {
      type: 'list',
      value: 'HOSTS',
      summary: 'hosts to remove: names, addresses or globs (comma-separated or repeated)',
      complete: clusterHosts,
    },
    ...drainNodeOptions,
    force: { type: 'flag', summary: 'also remove pods that are not recreated or that no other node accepts' },
    skipCleanup: { type: 'flag', summary: 'do not reset the hosts; reset them later with --cleanup' },
    unreachable: { type: 'flag', summary: 'remove unreachable hosts without connecting to them' },
    cleanup: { type: 'text', value: 'HOST', summary: 'reset a host that was removed without being reset' },
  },
  examples: [
    { command: 'kubexm delete nodes -c prod --nodes node4 --dry-run', does: 'Show what would be removed' },
    { command: 'kubexm delete nodes -c prod --nodes node4,10.0.0.15', does: 'Remove two nodes' },
    {
      command: 'kubexm delete nodes -c prod --nodes node4 --timeout 30m --grace-period 60',
      does: 'Give pods more time to terminate',
    },
    { command: 'kubexm delete nodes -c prod --nodes node3 --unreachable', does: 'Remove a lost host' },
    { command: 'kubexm delete nodes -c prod --cleanup node3', does: 'Reset the host when it is reachable again' },
  ],
  async run(call) {
    const { runPipeline } = await import('../execute/run-pipeline.ts');
    const { chooseRemoval } = await import('../execute/remove-hosts.ts');
    const { chooseCleanup, loadWithRemovedHost } = await import('../execute/clean-up-removed.ts');
    const { cleanup } = call.options;
    const whole = { ...call, options: { ...call.options, nodes: [], tags: [], skipTags: [] } };
    return cleanup === undefined
      ? runPipeline(whole, chooseRemoval(whole, call.options.nodes))
      : runPipeline(whole, chooseCleanup(whole, cleanup), () => loadWithRemovedHost(whole, cleanup));
  },
});
