import { createCache } from '../../cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import { LOCAL, type Host, type Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { localConnector } from '../../connector/local.ts';
import type { ContextFor } from '../../engine/execute.ts';
import type { MetHost } from '../../engine/host-run.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import type { PlanNode } from '../../plan/graph.ts';
import { createRunner } from '../../runner/create-runner.ts';
import { gatherFacts } from '../../runner/facts/gather.ts';
import type { Runner } from '../../runner/runner.ts';
import { UNREACHED } from '../../step/contract/unreached.ts';
import { connectHosts } from './connect.ts';
import { fenced } from './fenced-connector.ts';
import { hostsOf } from '../plan/plan.ts';

/** The hosts of a cluster for the time of one command. */
export interface Session extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly hosts: Hosts;
  readonly connector: (host: Host) => Connector;
  /** Reaches a host and finds out what it is, once; everybody who asks gets the same answer, or the same error. */
  readonly reach: (host: Host) => Promise<Runner>;
  /** The same for the engine, which wants to know whether the host was started anew. */
  readonly meet: (host: Host) => Promise<MetHost>;
  /** Hosts that could not be reached, and why. */
  readonly unreached: Map<string, unknown>;
  /** Makes the contexts of the steps of one run; without a lock they are only good for looking. */
  readonly contextsOf: (run: string, lock?: ClusterLock) => ContextFor;
}

/** Finds the secrets and makes the ways to the hosts; connections are made when they are first needed. */
export async function openSession(cluster: Cluster, workdir: string): Promise<Session> {
  const hosts = hostsOf(cluster);
  const ways = new Map<string, Connector>([[LOCAL.name, localConnector()]]);
  for (const { host, connector } of await connectHosts(cluster, cluster.hosts, workdir)) ways.set(host.name, connector);
  const asked = new Map<string, Promise<Runner>>();
  const reached = new Map<string, Runner>();
  const unreached = new Map<string, unknown>();
  const connector = ({ name }: Host) => {
    const way = ways.get(name);
    if (!way) throw new TypeError(`${name} is no host of ${cluster.name}`);
    return way;
  };
  const reach = (host: Host): Promise<Runner> => {
    const known = asked.get(host.name);
    if (known) return known;
    const way = connector(host);
    const answer = gatherFacts(way).then((facts) => {
      const runner = createRunner(way, facts);
      reached.set(host.name, runner);
      return runner;
    });
    answer.catch((error: unknown) => unreached.set(host.name, error));
    asked.set(host.name, answer);
    return answer;
  };
  const meet = async (host: Host): Promise<MetHost> => {
    const { facts } = await reach(host);
    return { bootId: () => connector(host).bootId ?? facts.bootId };
  };
  return Object.freeze({
    cluster,
    hosts,
    connector,
    reach,
    meet,
    unreached,
    contextsOf: (run: string, lock?: ClusterLock) =>
      contextsOf({ cluster, hosts, connector, reach, unreached }, reached, run, lock),
    [Symbol.asyncDispose]: async () =>
      void (await Promise.allSettled([...ways.values()].map((way) => way[Symbol.asyncDispose]()))),
  });
}

/** Where a host keeps what belongs to a cluster. */
export const hostFolder = (cluster: string) => `/var/lib/kubexm/clusters/${cluster}`;

/** Where a host keeps the lock of a cluster. */
export const hostLock = (cluster: string) => `${hostFolder(cluster)}/lock`;

/** Where a host keeps what runs found, until one of them ends well. */
export const keepFolder = (cluster: string) => `${hostFolder(cluster)}/keep`;

function contextsOf(
  { cluster, hosts, connector, reach, unreached }: Omit<Session, 'meet' | 'contextsOf' | typeof Symbol.asyncDispose>,
  reached: ReadonlyMap<string, Runner>,
  run: string,
  lock: ClusterLock | undefined,
): ContextFor {
  const cache = createCache();
  cache.set(UNREACHED, unreached);
  const originDir = `${hostFolder(cluster.name)}/before`;
  const keepDir = ({ task, step }: PlanNode) =>
    `${keepFolder(cluster.name)}/${run}/${[...task.path.split('/'), step.name].join('.')}`;
  // With the cluster it goes, whatever happens.
  const stagingDir = ({ task }: PlanNode) => `${hostFolder(cluster.name)}/staging/${task.path.replaceAll('/', '.')}`;
  const wayTo = (host: Host) => {
    const way = connector(host);
    return lock ? fenced(way, { cluster: cluster.name, lock, folder: hostLock(cluster.name) }) : way;
  };
  // Bound to the signal: a step that is told to end does not wait for an answer.
  const bind = (host: Host, { facts }: Runner, signal: AbortSignal) => createRunner(wayTo(host), facts, signal);
  return async (node, signal, say) => {
    const { host } = node;
    const reaching = reached.get(host.name) ?? (await reach(host));
    const { facts } = reaching;
    const on = (other: Host) => {
      const runner = reached.get(other.name);
      if (!runner) throw fail('HOST_NOT_READY', { host: other.name });
      return bind(other, runner, signal);
    };
    const runner = bind(host, reaching, signal);
    const places = { keepDir: keepDir(node), originDir, stagingDir: stagingDir(node) };
    return { run, host, hosts, facts, runner, on, cache, ...places, say, signal };
  };
}
