import { createCache } from '../../cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Host, Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import type { ContextFor } from '../../engine/execution.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import type { OpenKubernetesApi } from '../../kubernetes-api/api.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { createRunner } from '../../runner/create-runner.ts';
import type { Runner } from '../../runner/runner.ts';
import { UNREACHABLE_HOSTS } from '../../step/contract/reachability.ts';
import { checkFence, fencedConnector } from './fenced-connector.ts';
import { hostFolder, hostLock, keepFolder } from './host-paths.ts';
import { hostNamed } from './hosts.ts';

/** The part of a session that step contexts are made from. */
export interface ContextSource {
  readonly cluster: Cluster;
  readonly hosts: Hosts;
  readonly connector: (host: Host) => Connector;
  readonly reach: (host: Host) => Promise<Runner>;
  /** Hosts reached so far, by name. */
  readonly reached: ReadonlyMap<string, Runner>;
  readonly unreached: Map<string, unknown>;
  readonly api: OpenKubernetesApi;
}

/** Creates the step contexts of a run. With a lock, its loss blocks every further change. */
export function stepContexts(
  { cluster, hosts, connector, reach, reached, unreached, api }: ContextSource,
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
  const fence = lock && { cluster: cluster.name, lock, folder: hostLock(cluster.name) };
  const fenced = new Map<string, Connector>();
  const connectorTo = (host: Host) => {
    if (!fence) return connector(host);
    // A host gets its number when it joins the lock, which may be after the first context.
    const key = `${host.name} ${fence.lock.numberOn(host.name)}`;
    const known = fenced.get(key) ?? fencedConnector(connector(host), fence);
    fenced.set(key, known);
    return known;
  };
  const beforeChange = (master: string) =>
    fence ? checkFence(connector(hostNamed(hosts, master)), fence) : Promise.resolve();
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
    return {
      run,
      host,
      hosts,
      facts,
      runner,
      // Most steps do not use it.
      get api() {
        return api.bind({ signal, beforeChange });
      },
      on,
      cache,
      ...folders,
      say,
      signal,
    };
  };
}
