import { createCache } from '../../cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Host, Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import type { ContextFor } from '../../engine/execution.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { createRunner } from '../../runner/create-runner.ts';
import type { Runner } from '../../runner/runner.ts';
import { UNREACHABLE_HOSTS } from '../../step/contract/reachability.ts';
import { fencedConnector } from './fenced-connector.ts';
import { hostFolder, hostLock, keepFolder } from './host-paths.ts';

/** The part of a session that step contexts are made from. */
export interface ContextSource {
  readonly cluster: Cluster;
  readonly hosts: Hosts;
  readonly connector: (host: Host) => Connector;
  readonly reach: (host: Host) => Promise<Runner>;
  /** Hosts reached so far, by name. */
  readonly reached: ReadonlyMap<string, Runner>;
  readonly unreached: Map<string, unknown>;
}

/** Creates the step contexts of a run. With a lock, its loss blocks every further change. */
export function stepContexts(
  { cluster, hosts, connector, reach, reached, unreached }: ContextSource,
  run: string,
  lock: ClusterLock | undefined,
): ContextFor {
  const cache = createCache();
  cache.set(UNREACHABLE_HOSTS, unreached);
  const originDir = `${hostFolder(cluster.name)}/before`;
  const keepDir = ({ task, step }: PlanNode) =>
    `${keepFolder(cluster.name)}/${run}/${[...task.path.split('/'), step.name].join('.')}`;
  // Inside the cluster folder, so that deleting the cluster also removes it.
  const stagingDir = ({ task }: PlanNode) => `${hostFolder(cluster.name)}/staging/${task.path.replaceAll('/', '.')}`;
  const connectorTo = (host: Host) => {
    const fence = lock && { cluster: cluster.name, lock, folder: hostLock(cluster.name) };
    return fence ? fencedConnector(connector(host), fence) : connector(host);
  };
  // Bound to the signal, so that a cancelled step does not wait for a response.
  const bind = (host: Host, { facts }: Runner, signal: AbortSignal) => createRunner(connectorTo(host), facts, signal);
  return async (node, signal, say) => {
    const { host } = node;
    const unbound = reached.get(host.name) ?? (await reach(host));
    const { facts } = unbound;
    const on = (other: Host) => {
      const runner = reached.get(other.name);
      if (!runner) throw fail('HOST_NOT_READY', { host: other.name });
      return bind(other, runner, signal);
    };
    const runner = bind(host, unbound, signal);
    const folders = { keepDir: keepDir(node), originDir, stagingDir: stagingDir(node) };
    return { run, host, hosts, facts, runner, on, cache, ...folders, say, signal };
  };
}
