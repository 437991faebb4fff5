import type { Cluster } from '../../config/model/cluster.ts';
import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import { kubectl } from '../../step/kubernetes-object/kubectl.ts';
import { hostNamed } from '../session/hosts.ts';
import type { Session } from '../session/session.ts';
import { localApiServer, type ProbeResult } from './api-server.ts';
import type { PodInfo } from './kubernetes-objects.ts';
import type { KubernetesState } from './probe-kubernetes.ts';

/** Whether `kubectl exec` reaches a container on a node. */
export interface ExecProbe {
  readonly node: string;
  readonly result: ProbeResult;
}

/** Runs a command in one system Pod of each node, through the API server, the kubelet and the container runtime. */
export async function probeExec(
  { cluster, hosts, connector }: Session,
  { master, pods }: KubernetesState,
  signal: AbortSignal,
): Promise<readonly ExecProbe[]> {
  const host = connector(hostNamed(hosts, master));
  return Promise.all(
    podsToTry(pods).map(async (pod) => ({
      node: pod.node,
      result: parseExec(await host.query(execCommand(cluster, pod).text, { signal })),
    })),
  );
}

/** A ready Pod of each node, on a few nodes: in a large cluster the check would take minutes on the master. */
export function podsToTry(pods: readonly PodInfo[]): readonly PodInfo[] {
  const ready = pods.filter((pod) => pod.ready && pod.node !== '');
  const byNode = new Map(ready.toSorted((one, other) => rank(other) - rank(one)).map((pod) => [pod.node, pod]));
  return [...byNode.values()].toSorted((one, other) => (one.node < other.node ? -1 : 1)).slice(0, MAX_NODES);
}

const MAX_NODES = 10;

/** Prefers Pods that serve no requests. */
const rank = ({ name }: PodInfo) => (name.startsWith('kube-proxy-') ? 0 : /^(etcd|kube)-/.test(name) ? 2 : 1);

const execCommand = (cluster: Cluster, { namespace, name }: PodInfo): Command =>
  sh`timeout 20 ${kubectl(sh`--server ${localApiServer(cluster)} -n ${namespace} exec ${name} -- true`)}`;

/** Images without a shell do not have the program: then the runtime has responded. A policy may forbid the request. */
export function parseExec({ exit, stderr }: ExecResult): ProbeResult {
  if (exit === 0 || RESPONDED.test(stderr)) return { ok: true, detail: 'ok' };
  if (exit === 124) return { ok: false, detail: 'kubectl exec: no response within 20 s' };
  const lines = stderr
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(Defaulted container|[EWI]\d{4} )/.test(line));
  return { ok: false, detail: `kubectl exec: ${lines.at(-1)?.trim() ?? 'no response'}` };
}

const RESPONDED =
  /executable file not found|no such file or directory|command terminated with exit code|\(Forbidden\)|denied the request/i;
