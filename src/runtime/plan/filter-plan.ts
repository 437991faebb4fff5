import type { Cluster } from '../../config/model/cluster.ts';
import { filterGraph } from '../../plan/filter.ts';
import type { ExecutionGraph } from '../../plan/graph.ts';
import { splitList } from '../../util/text.ts';
import { selectHosts } from '../session/select-hosts.ts';

/** The plan selection from the command line. */
export interface PlanFilter {
  /** Host names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  readonly task: string | undefined;
}

/** Reduces a plan to the selection. `hosts` is 'all' only if nothing was left out. */
export function filterPlan(
  graph: ExecutionGraph,
  cluster: Cluster,
  filter: PlanFilter,
): { readonly graph: ExecutionGraph; readonly hosts: 'all' | 'some' } {
  const tags = splitList(filter.tags);
  const skipTags = splitList(filter.skipTags);
  const hosts = selectHosts(cluster, filter.nodes).map(({ name }) => name);
  const selected = filterGraph(graph, {
    ...(tags.length > 0 && { tags }),
    skipTags,
    ...(filter.task !== undefined && { task: filter.task }),
    hosts,
  });
  const whole = tags.length === 0 && skipTags.length === 0 && filter.task === undefined;
  return { graph: selected, hosts: whole && hosts.length === cluster.hosts.length ? 'all' : 'some' };
}

/**
 * A canonical text for the selection: "--nodes node1,node2 --tags etcd", empty for the whole plan. The task is not included
 * because it is part of the command.
 */
export const selectionText = ({ nodes, tags, skipTags }: Omit<PlanFilter, 'task'>): string =>
  Object.entries({ '--nodes': nodes, '--tags': tags, '--skip-tags': skipTags })
    .map(([option, lists]) => [option, [...new Set(splitList(lists))].sort().join(',')])
    .filter(([, list]) => list !== '')
    .map((pair) => pair.join(' '))
    .join(' ');
