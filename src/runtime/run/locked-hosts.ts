import type { Host, Hosts } from '../../common/host.ts';
import { nodesOf, type ExecutionGraph } from '../../plan/graph.ts';

/**
 * The hosts that a run locks: those of its plan, and always the control plane and etcd hosts, because a run on any host
 * can affect them. They come first: the first hosts decide between two operators, whatever part of the plan each selected.
 */
export function lockedHosts({ all }: Hosts, graph: ExecutionGraph): readonly Host[] {
  const used = new Set(nodesOf(graph).map(({ host }) => host.name));
  const [central, others] = [all.filter(isCentral), all.filter((host) => !isCentral(host))];
  // A plan for this machine alone, such as a download, affects no host.
  if (!all.some(({ name }) => used.has(name))) return [];
  return [...central, ...others.filter(({ name }) => used.has(name))];
}

const isCentral = ({ roles }: Host) => roles.includes('master') || roles.includes('etcd');
