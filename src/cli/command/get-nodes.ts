import { EXIT } from '../../common/errors/exit-codes.ts';
import type { NodeRow } from '../../runtime/inspect/list-nodes.ts';
import { age } from '../format/age.ts';
import { defineCommand } from '../command.ts';
import type { Console, Table } from '../console.ts';
import { lookingAt, lookOptions } from '../open-cluster.ts';
import { listOutput, printedAs } from '../format/print-as.ts';

export const getNodes = defineCommand({
  path: 'get nodes',
  summary: 'List the nodes of a cluster beside the hosts of its file',
  description:
    'Asks a master over SSH. Hosts that have not joined yet are listed, too, and nodes that the file does not know.\nEnds with 11 when no master answers; what the file says is printed all the same.',
  options: { ...lookOptions, output: listOutput },
  examples: [
    { command: 'kubexm get nodes -c prod', does: 'Which nodes are ready?' },
    { command: 'kubexm get nodes -f cluster.yaml -o wide', does: 'With systems, kernels and reasons' },
    {
      command: 'kubexm get nodes -c prod -o json | jq -r \'.[] | select(.status != "Ready").name\'',
      does: 'For a script',
    },
  ],
  async run(call) {
    const { listNodes } = await import('../../runtime/inspect/list-nodes.ts');
    const { nodes, silent } = await lookingAt(call, (session, _, signal) => listNodes(session, signal));
    const { console, options } = call;
    if (!(await printedAs(console, options.output, nodes)))
      await console.table(...nodeTable(nodes, options.output === 'wide', console.color));
    for (const [master, reason] of silent) console.note(`${master} does not tell: ${reason}`, 'warning');
    return silent.size > 0 ? EXIT.connection : EXIT.ok;
  },
});

export function nodeTable(nodes: readonly NodeRow[], wide: boolean, color: Console['color']): Table {
  const head = ['NAME', 'ADDRESS', 'ROLES', 'STATUS', 'VERSION', 'RUNTIME', 'AGE'];
  const rows = nodes.map((node) => {
    const { name, address, version, runtime, system, kernel } = node;
    const row = [name, address, node.roles.join(','), statusText(node, color), version, runtime, age(node.created)];
    const why = node.inFile ? node.why : ['the file does not know it', node.why].filter(Boolean).join('; ');
    return wide ? [...row, system, kernel, why] : row;
  });
  return [wide ? [...head, 'SYSTEM', 'KERNEL', 'WHY'] : head, rows];
}

/** As kubectl says it, in its colour. */
export function statusText(
  { status, schedulable }: Pick<NodeRow, 'status' | 'schedulable'>,
  color: Console['color'],
): string {
  switch (status) {
    case 'Ready':
      return schedulable ? color.green(status) : `${color.green(status)},${color.yellow('SchedulingDisabled')}`;
    case 'NotReady':
    case 'NotJoined':
      return color.red(status);
    case 'Unknown':
      return color.yellow(status);
    case 'NoNode':
      return '';
  }
}
