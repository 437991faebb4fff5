import { setTimeout as sleep } from 'node:timers/promises';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { ClusterHost, NetworkPlugin } from '../../config/model/cluster.ts';
import { sh, type Command } from '../../runner/command.ts';
import { signalWithTimeout } from '../../util/abort-signal.ts';
import { kubectl } from '../../step/kubernetes-object/kubectl.ts';
import type { Session } from '../session/session.ts';
import { readApiAnswer } from './api-server.ts';
import { ownServer } from './probe-host.ts';
import { unreachedReason } from './unreached-reason.ts';
import { nodesIn, podsIn, type NodeSeen, type PodSeen } from './kubernetes-objects.ts';

/** What Kubernetes says of itself, and the master that was asked. */
export interface KubernetesLook {
  readonly master: string;
  readonly nodes: readonly NodeSeen[];
  /** Those of the system; none unless they were asked for. */
  readonly pods: readonly PodSeen[];
  readonly created: Date | undefined;
}

/** Why nothing is known of Kubernetes. */
export interface KubernetesSilent {
  readonly master: undefined;
  /** By the name of the master. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** How much is asked. */
export interface KubernetesQuestion {
  /** Any of them may answer; the first ones are asked first. */
  readonly masters: readonly ClusterHost[];
  readonly pods: boolean;
  readonly signal: AbortSignal;
}

/** Asks a master in one round trip; the next one when it fails or takes long, and the first answer counts. */
export async function lookAtKubernetes(
  session: Session,
  { masters, pods, signal }: KubernetesQuestion,
): Promise<KubernetesLook | KubernetesSilent> {
  const reasons = new Map<string, string>();
  const found = new AbortController();
  const until = signalWithTimeout([signal, found.signal], PATIENCE_MS);
  const tries: Promise<KubernetesLook>[] = [];
  for (const { name } of masters) {
    const before = tries.at(-1);
    const attempt = async () => {
      if (before) await Promise.race([before, sleep(HEDGE_MS, undefined, { signal: until })]).catch(() => {});
      until.throwIfAborted();
      return askMaster(session, name, pods, until);
    };
    tries.push(attempt());
    tries.at(-1)?.catch((error: unknown) => reasons.set(name, saidBy(error)));
  }
  const look = await Promise.any(tries).catch(() => undefined);
  found.abort();
  return look ?? { master: undefined, reasons };
}

const HEDGE_MS = 2000;
const PATIENCE_MS = 60_000;

async function askMaster(session: Session, name: string, pods: boolean, signal: AbortSignal): Promise<KubernetesLook> {
  const { cluster, hosts } = session;
  const host = hosts.all.find((each) => each.name === name);
  if (!host) throw new TypeError(`${name} is no host of ${cluster.name}`);
  const connector = session.connector(host);
  const ask = (rest: Command) =>
    connector.query(kubectl(sh`--server ${ownServer(cluster)} ${rest} -o json`).text, { signal });
  const namespaces = pods ? systemNamespaces(cluster.network.plugin) : [];
  const [nodes, home, ...lists] = await Promise.all([
    ask(sh`get nodes`),
    ask(sh`get namespace kube-system`),
    ...namespaces.map((namespace) => ask(sh`--namespace ${namespace} get pods`)),
  ]);
  const found = nodesIn(nodes.stdout);
  if (!found) throw fail('API_SILENT', { host: name, said: readApiAnswer(nodes).said });
  return {
    master: name,
    nodes: found,
    pods: lists.flatMap(({ stdout }) => podsIn(stdout) ?? []),
    created: createdIn(home.stdout),
  };
}

/** Where the parts of a cluster run. */
function systemNamespaces({ type }: NetworkPlugin): readonly string[] {
  switch (type) {
    case 'flannel':
      return ['kube-system', 'kube-flannel'];
    case 'calico':
      return ['kube-system', 'calico-system', 'tigera-operator'];
    case 'cilium':
    case 'kube-ovn':
    case 'none':
      return ['kube-system'];
  }
}

function createdIn(text: string): Date | undefined {
  const [, time] = /"creationTimestamp":\s*"([^"]+)"/.exec(text) ?? [];
  return time === undefined ? undefined : new Date(time);
}

/** The words of the API server where it has some. */
const saidBy = (error: unknown): string =>
  error instanceof KubexmError && error.code === 'API_SILENT'
    ? error.report.message
    : (unreachedReason(error) ?? String(error));
