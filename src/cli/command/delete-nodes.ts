import { defineCommand } from '../command.ts';
import { pipelineOptions } from '../options/pipeline.ts';

const { nodes: _, tags: __, skipTags: ___, ...runOptions } = pipelineOptions;

export const deleteNodesCommand = defineCommand({
  path: 'delete nodes',
  summary: 'Remove hosts from a running cluster and restore them to their original state',
  description:
    'Removes hosts of any role: drains the nodes, updates load balancers, removes etcd members and Node objects, and resets the hosts. Refuses to lose the etcd quorum, the last master or what runs.',
  options: {
    ...runOptions,
    nodes: { type: 'list', value: 'HOSTS', summary: 'hosts to remove: names or globs (comma-separated or repeated)' },
    force: { type: 'flag', summary: 'also delete Pods that nothing recreates or that no other node accepts' },
    skipCleanup: { type: 'flag', summary: 'do not reset the hosts' },
    unreachable: { type: 'flag', summary: 'the hosts do not respond: remove them without connecting to them' },
    cleanup: { type: 'text', value: 'HOST', summary: 'reset a host that was removed while it did not respond' },
  },
  examples: [
    { command: 'kubexm delete nodes -f cluster.yaml --nodes node4 --dry-run', does: 'Show what would be removed' },
    { command: 'kubexm delete nodes -f cluster.yaml --nodes node4,node5', does: 'Remove two nodes' },
    { command: 'kubexm delete nodes -f cluster.yaml --nodes node3 --unreachable', does: 'Remove a host that is lost' },
    { command: 'kubexm delete nodes -f cluster.yaml --cleanup node3', does: 'Reset it when it is back' },
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
