import type { NodeList, NodeRow } from '../../runtime/inspect/list-nodes.ts';
import type { Console, Table } from '../console.ts';
import { shortList } from './text.ts';
import { age } from './time.ts';

/** Returns the table for `get nodes`. */
export function nodeTable(nodes: readonly NodeRow[], wide: boolean, color: Console['color']): Table {
  const head = ['NAME', 'ADDRESS', 'ROLES', 'STATUS', 'VERSION', 'RUNTIME', 'AGE'];
  const rows = nodes.map((node) => {
    const { name, address, version, runtime, system, kernel } = node;
    const row = [name, address, node.roles.join(','), statusText(node, color), version, runtime, age(node.created)];
    return wide ? [...row, system, kernel, nodeNotes(node)] : row;
  });
  return [wide ? [...head, 'SYSTEM', 'KERNEL', 'WHY'] : head, rows];
}

/** Returns the commands to run if the nodes differ from the cluster file. */
export function nodeHints(
  { nodes, removedHosts }: Pick<NodeList, 'nodes' | 'removedHosts'>,
  clusterFlag: string,
): readonly string[] {
  const named = (is: (node: NodeRow) => boolean) => nodes.filter(is).map(({ name }) => name);
  const missing = named(({ status }) => status === 'NotJoined');
  const extra = named(({ inFile }) => !inFile);
  return [
    ...(missing.length > 0
      ? [`Not in the cluster yet: ${shortList(missing)}. Add with: kubexm add nodes ${clusterFlag}`]
      : []),
    ...(extra.length > 0
      ? [
          `Not in the cluster file: ${shortList(extra)}. Remove with: kubexm delete nodes ${clusterFlag} --nodes ${extra.join(',')}`,
        ]
      : []),
    ...removedHosts.map(
      (name) => `Removed, but not reset: ${name}. Reset with: kubexm delete nodes ${clusterFlag} --cleanup ${name}`,
    ),
  ];
}

/** Explains why a node is not ready, and whether it is missing from the cluster file. */
export const nodeNotes = ({ inFile, why }: Pick<NodeRow, 'inFile' | 'why'>): string =>
  [inFile ? '' : 'not in the cluster file', why].filter(Boolean).join('; ');

/** Returns the node status as kubectl prints it, in color. */
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
