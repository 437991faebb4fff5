import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { ClusterHost } from '../../config/model/cluster.ts';
import { systemNamespaces } from '../../config/model/network-plugins.ts';
import { sh, type Command } from '../../runner/command.ts';
import { signalWithTimeout } from '../../util/abort-signal.ts';
import { kubectl } from '../../step/kubernetes-object/kubectl.ts';
import type { Session } from '../session/session.ts';
import { hostNamed } from '../session/hosts.ts';
import { localApiServer, parseApiServer } from './api-server.ts';
import { unreachableReason } from './probe-host.ts';
import { parseNodes, parsePods, type NodeInfo, type PodInfo } from './kubernetes-objects.ts';

/** The state reported by the API server of one master. */
export interface KubernetesState {
  readonly master: string;
  readonly nodes: readonly NodeInfo[];
  /** System pods; empty unless requested. */
  readonly pods: readonly PodInfo[];
  readonly created: Date | undefined;
}

/** No API server responded. */
export interface KubernetesUnavailable {
  readonly master: undefined;
  /** The reason for each master, by name. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** The result of querying Kubernetes. */
export type KubernetesProbe = KubernetesState | KubernetesUnavailable;

/** What to query. */
export interface KubernetesQuery {
  /** Masters to query, in order of preference. */
  readonly masters: readonly ClusterHost[];
  readonly pods: boolean;
  readonly signal: AbortSignal;
}

/** The connections that a query needs. */
export type ApiSession = Pick<Session, 'cluster' | 'hosts' | 'connector'>;

/** Queries a master in one round trip. Tries the next one if it fails or is slow, and uses the first response. */
export async function probeKubernetes(
  session: ApiSession,
  { masters, pods, signal }: KubernetesQuery,
): Promise<KubernetesProbe> {
  const reasons = new Map<string, string>();
  const responded = new AbortController();
  const until = signalWithTimeout([signal, responded.signal], QUERY_TIMEOUT_MS);
  const attempts: Promise<KubernetesState>[] = [];
  for (const { name } of masters) {
    const previous = attempts.at(-1);
    const attempt = async () => {
      if (previous) {
        const hasResponded = previous.then(() => true);
        const isSlow = sleep(HEDGE_MS, false, { signal: until });
        if (await Promise.race([hasResponded, isSlow]).catch(() => false)) return previous;
      }
      until.throwIfAborted();
      return queryMaster(session, name, pods, until);
    };
    attempts.push(attempt());
    attempts.at(-1)?.catch((error: unknown) => reasons.set(name, reasonFor(error)));
  }
  const state = await Promise.any(attempts).catch(() => undefined);
  responded.abort();
  return state ?? { master: undefined, reasons };
}

const HEDGE_MS = 2000;
const QUERY_TIMEOUT_MS = 60_000;

async function queryMaster(
  session: ApiSession,
  name: string,
  pods: boolean,
  signal: AbortSignal,
): Promise<KubernetesState> {
  const { cluster, hosts } = session;
  const connector = session.connector(hostNamed(hosts, name));
  const query = (args: Command) =>
    connector.query(kubectl(sh`--server ${localApiServer(cluster)} ${args} -o json`).text, { signal });
  const namespaces = pods ? systemNamespaces(cluster.network.plugin) : [];
  const [nodes, kubeSystem, ...lists] = await Promise.all([
    query(sh`get nodes`),
    query(sh`get namespace kube-system`),
    ...namespaces.map((namespace) => query(sh`--namespace ${namespace} get pods`)),
  ]);
  const found = parseNodes(nodes.stdout);
  if (!found) throw fail('API_SILENT', { host: name, reason: parseApiServer(nodes).detail });
  return {
    master: name,
    nodes: found,
    pods: lists.flatMap(({ stdout }) => parsePods(stdout) ?? []),
    created: creationTime(kubeSystem.stdout),
  };
}

function creationTime(text: string): Date | undefined {
  const [, time] = /"creationTimestamp":\s*"([^"]+)"/.exec(text) ?? [];
  return time === undefined ? undefined : new Date(time);
}

/** Prefers the message of the API server, if there is one. */
const reasonFor = (error: unknown): string =>
  error instanceof KubexmError && error.code === 'API_SILENT'
    ? error.report.message
    : (unreachableReason(error) ?? String(error));
