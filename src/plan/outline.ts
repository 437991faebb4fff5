import type { ExecutionGraph, PlanTask } from './graph.ts';
import { groupsOf, type Group } from './groups.ts';

/** The plan as text, as printed by --dry-run. */
export function outline(graph: ExecutionGraph): string {
  const groups = groupsOf(graph);
  const hosts = new Set(groups.flatMap((group) => group.hosts));
  const count = groups.reduce((sum, group) => sum + group.hosts.length, 0);
  const lines = [`${graph.name}: ${plural(count, 'step')} on ${plural(hosts.size, 'host')}`];
  const width = Math.max(0, ...groups.map(({ step }) => step.name.length));
  for (const [index, group] of groups.entries()) {
    if (group.task.path !== groups[index - 1]?.task.path) lines.push('', heading(group.task));
    lines.push(`  ${group.step.name.padEnd(width)}  ${hostList(group)}${dependencyText(group, groups)}`);
  }
  return lines.join('\n');
}

/** "etcd/install-etcd  Install etcd" */
const heading = ({ path, title }: PlanTask) => (title === '' ? path || '(no task)' : `${path}  ${title}`);

/** "node1, node2, node3"; shortened if there are many. */
const hostList = ({ hosts }: Pick<Group, 'hosts'>) =>
  hosts.length <= MAX_LISTED
    ? hosts.join(', ')
    : `${hosts.slice(0, 3).join(', ')}, … ${hosts.at(-1)} (${hosts.length} hosts)`;

const MAX_LISTED = 8;

function dependencyText(group: Group, groups: readonly Group[]): string {
  const names = [...group.after].map(([index, awaited]) => {
    const other = groups[index]!;
    const name = other.task.path === group.task.path ? other.step.name : `${other.task.path}/${other.step.name}`;
    const isAmbiguous = groups.some(
      (each, at) => at !== index && each.task.path === other.task.path && each.step.name === other.step.name,
    );
    const precise = isAmbiguous ? `${name}@${hostList(other)}` : name;
    if (other.hosts.length === 1) return precise;
    if (awaited === 'each') return `${precise} on the same host`;
    return awaited.size === other.hosts.length ? `${precise} on all` : `${name}@${hostList({ hosts: [...awaited] })}`;
  });
  return names.length === 0 ? '' : `  after ${names.join(', ')}`;
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
