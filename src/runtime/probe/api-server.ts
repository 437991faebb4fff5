import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import { kubectl } from '../../step/kubernetes-object/kubectl.ts';

/** The result of probing one component. */
export interface ProbeResult {
  readonly ok: boolean;
  /** The response, or why there was none. */
  readonly detail: string;
}

/** Checks whether the local API server of a master is ready. */
export const apiServerProbe = (cluster: Cluster): Command =>
  kubectl(sh`--server ${localApiServer(cluster)} --request-timeout=10s get --raw ${'/readyz?verbose'}`);

/** The API server of the master that runs the command, bypassing any load balancer. */
export const localApiServer = (cluster: Cluster): string => `https://127.0.0.1:${apiPort(cluster)}`;

/** Connects to the control plane endpoint the way the kubelet does. */
export const ENDPOINT_PROBE = kubectl(
  sh`--kubeconfig /etc/kubernetes/kubelet.conf --request-timeout=10s get --raw /livez`,
);

/** Parses a kubectl response from an API server: the failed readiness checks, or why it did not respond. */
export function parseApiServer({ exit, stdout, stderr }: ExecResult): ProbeResult {
  if (exit === 0) return { ok: true, detail: stdout.trim().split('\n').at(-1) || 'ok' };
  const failed = [...stderr.matchAll(/\[-\](\S+) failed/g)].map(([, name = '']) => name);
  if (failed.length > 0) return { ok: false, detail: `not ready: ${[...new Set(failed)].join(', ')}` };
  if (/No such file|not found/.test(stderr) && exit >= 126) return { ok: false, detail: 'kubectl not found' };
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^[EWI]\d{4} /.test(line));
  return { ok: false, detail: lines.at(-1)?.trim() ?? 'no response' };
}
