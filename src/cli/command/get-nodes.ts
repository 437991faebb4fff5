import { EXIT } from '../../common/errors/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { nodeHints, nodeTable } from '../format/node-text.ts';
import { inspectCluster, inspectOptions } from '../open-cluster.ts';
import { listOutput } from '../options/output.ts';

export const getNodes = defineCommand({
  path: 'get nodes',
  summary: 'List the nodes of a cluster',
  description:
    'Queries a master over SSH. Also lists hosts in the cluster file that have not joined yet, and nodes that are not in the cluster file.\nExits with 11 if no master responds; the hosts in the cluster file are still printed.',
  options: { ...inspectOptions, output: listOutput },
  examples: [
    { command: 'kubexm get nodes -c prod', does: 'List all nodes and their status' },
    { command: 'kubexm get nodes -f cluster.yaml -o wide', does: 'Include OS, kernel and why a node is not ready' },
    {
      command: 'kubexm get nodes -c prod -o json | jq -r \'.[] | select(.status != "Ready").name\'',
      does: 'Print the names of nodes that are not ready',
    },
  ],
  async run(call) {
    const { printStructured } = await import('../format/structured.ts');
    const { listNodes } = await import('../../runtime/inspect/list-nodes.ts');
    const { named, list } = await inspectCluster(call, async (session, selected, signal) => ({
      named: selected.named,
      list: await listNodes(session, selected.workdir, signal),
    }));
    const { nodes, masterErrors } = list;
    const { console, options } = call;
    if (!printStructured(console, options.output, nodes)) {
      await console.table(...nodeTable(nodes, options.output === 'wide', console.color));
      for (const hint of nodeHints(list, named)) console.note(hint);
    }
    for (const [master, reason] of masterErrors)
      console.note(`The API server on ${master} did not respond: ${reason}`, 'warning');
    return masterErrors.size > 0 ? EXIT.connection : EXIT.ok;
  },
});
