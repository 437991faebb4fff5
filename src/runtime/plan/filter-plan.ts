import type { Cluster } from '../../config/model/cluster.ts';
import { filterGraph } from '../../plan/filter.ts';
import type { ExecutionGraph } from '../../plan/graph.ts';
import { splitList } from '../../util/text.ts';
import { selectHosts } from '../session/select-hosts.ts';

/** What a user asks to be done of a plan, as it stands on the command line. */
export interface PlanFilter {
  /** Names, globs and role:x; all hosts if empty. */
  readonly nodes: readonly string[];
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
  readonly task: string | undefined;
}

/** The part of a plan that is asked for, and whether that is on all hosts. */
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

/** The same text for the same wish: "--nodes node1,node2 --tags etcd", empty for the whole plan. A task is part of the command. */
export const selectionText = ({ nodes, tags, skipTags }: Omit<PlanFilter, 'task'>): string =>
  Object.entries({ '--nodes': nodes, '--tags': tags, '--skip-tags': skipTags })
    .map(([option, lists]) => [option, [...new Set(splitList(lists))].sort().join(',')])
    .filter(([, list]) => list !== '')
    .map((pair) => pair.join(' '))
    .join(' ');
