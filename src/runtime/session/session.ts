import { setFlagsFromString } from 'node:v8';
import { LOCAL, type Host, type Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { localConnector } from '../../connector/local.ts';
import type { ContextFor } from '../../engine/execution.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';
import type { KubernetesApi } from '../../kubernetes-api/api.ts';
import { createRunner } from '../../runner/create-runner.ts';
import { gatherFacts } from '../../runner/facts/gather.ts';
import type { Runner } from '../../runner/runner.ts';
import { connectHosts, type OnNewHostKey } from './connect.ts';
import { hostsOf } from './hosts.ts';
import { clusterApi } from './kubernetes-api.ts';
import { protectKeys } from './protect-keys.ts';
import { stepContexts } from './step-contexts.ts';

/** Connections to the hosts of a cluster, shared by everything one command does. */
export interface Session extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly hosts: Hosts;
  readonly connector: (host: Host) => Connector;
  /** Connects to a host and gathers its facts, once per session; later calls get the same result or error. */
  readonly reach: (host: Host) => Promise<Runner>;
  /** The error of each unreachable host, by host name. */
  readonly unreached: Map<string, unknown>;
  /** The Kubernetes API, for reading only: changes are made by steps. */
  readonly api: KubernetesApi;
  /** Creates the step contexts of a run. Without a lock they must only be used for prechecks. */
  readonly stepContexts: (run: string, lock?: ClusterLock) => ContextFor;
}

/** Resolves secrets and creates a connector for each host. Connections are opened on first use. */
export async function openSession(cluster: Cluster, workdir: string, onNewHostKey?: OnNewHostKey): Promise<Session> {
  limitHeapGrowth();
  protectKeys(cluster, workdir);
  const hosts = hostsOf(cluster);
  const connectors = new Map<string, Connector>([[LOCAL.name, localConnector()]]);
  for (const { host, connector } of await connectHosts(cluster, cluster.hosts, workdir, onNewHostKey))
    connectors.set(host.name, connector);
  const reaching = new Map<string, Promise<Runner>>();
  const reached = new Map<string, Runner>();
  const unreached = new Map<string, unknown>();
  const connector = ({ name }: Host) => {
    const found = connectors.get(name);
    if (!found) throw new TypeError(`${name} is not a host of ${cluster.name}`);
    return found;
  };
  const reach = (host: Host): Promise<Runner> => {
    const known = reaching.get(host.name);
    if (known) return known;
    const gathering = gatherFacts(connector(host)).then((facts) => {
      const runner = createRunner(connector(host), facts);
      reached.set(host.name, runner);
      return runner;
    });
    gathering.catch((error: unknown) => unreached.set(host.name, error));
    reaching.set(host.name, gathering);
    return gathering;
  };
  const api = clusterApi({ cluster, workdir, hosts, connector });
  return Object.freeze({
    cluster,
    hosts,
    connector,
    reach,
    unreached,
    api: api.bind(),
    stepContexts: (run: string, lock?: ClusterLock) =>
      stepContexts({ cluster, hosts, connector, reach, reached, unreached, api }, run, lock),
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      await Promise.allSettled([...connectors.values()].map((each) => each[Symbol.asyncDispose]()));
    },
  });
}

/**
 * Lets the heap grow by at most 60 % between full garbage collections. By default it grows to four times what is in use,
 * which with a thousand hosts is mostly the output of finished checks.
 */
const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=60');
