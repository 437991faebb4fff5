import { LOCAL, type Host } from '../../common/host.ts';
import { nodesOf, type ExecutionGraph } from '../../plan/graph.ts';

/** Returns the hosts that a plan connects to, without this machine. */
export function touchedHosts(graph: ExecutionGraph): readonly Host[] {
  const hosts = new Map(nodesOf(graph).map(({ host }) => [host.name, host]));
  hosts.delete(LOCAL.name);
  return [...hosts.values()];
}
