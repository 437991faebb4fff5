import { ADMIN_CONF } from '../../step/kubernetes-object/kubectl.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { ClusterProbe } from '../probe/probe-cluster.ts';
import type { ReachedHost, UnreachableHost } from '../probe/probe-host.ts';
import type { KubernetesState } from '../probe/probe-kubernetes.ts';

/** The input of all checks: plain data, so that checks can be tested without hosts. */
export interface HealthInput extends ClusterProbe {
  readonly cluster: Cluster;
  /** Selects the cluster on a command line: "-c prod". */
  readonly clusterFlag: string;
  /** Hosts that were removed from the cluster without being reset. */
  readonly removedHosts: readonly string[];
}

/** A problem, and the command to run next. Part of the JSON output. */
export interface HealthFinding {
  /** Undefined if it concerns the whole cluster. */
  readonly host?: string;
  readonly severity: 'failed' | 'warning';
  readonly found: string;
  /** The command to run next. */
  readonly next: string;
}

/** The verdict of a check: evaluated, with any problems found, or unknown because data is missing. */
export type Verdict =
  | { readonly type: 'evaluated'; readonly found: string; readonly findings: readonly HealthFinding[] }
  | { readonly type: 'unknown'; readonly found: string };

/** A health check, implemented as a pure function. */
export interface HealthCheck {
  /** Must not change between releases: scripts rely on it. */
  readonly name: string;
  /** The condition that the check sets, e.g. "EtcdHealthy". */
  readonly condition: string;
  readonly evaluate: (input: HealthInput) => Verdict;
}

/** The result of a check. Part of the JSON output. */
export interface HealthResult {
  readonly check: string;
  readonly condition: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'unknown';
  readonly found: string;
  readonly findings: readonly HealthFinding[];
}

export const reachedHosts = ({ hosts }: HealthInput): readonly ReachedHost[] =>
  hosts.filter((probe) => probe.type === 'reached');

export const unreachableHosts = ({ hosts }: HealthInput): readonly UnreachableHost[] =>
  hosts.filter((probe) => probe.type === 'unreachable');

/** Undefined if no API server responded. */
export const kubernetesState = ({ kubernetes }: HealthInput): KubernetesState | undefined =>
  kubernetes.master === undefined ? undefined : kubernetes;

/** A kubexm command line that runs a command on a host. */
export const commandOn = ({ clusterFlag }: HealthInput, host: string, command: string): string =>
  `kubexm run command ${clusterFlag} --nodes ${host} -- '${command}'`;

/** A kubexm command line that runs kubectl on a master, so that it also works without a local kubectl. */
export const kubectlCommand = (input: HealthInput, command: string): string =>
  commandOn(input, input.kubernetes.master ?? 'role:master', `kubectl --kubeconfig ${ADMIN_CONF} ${command}`);

/** The finding for a component whose host is unreachable. */
export const hostUnreachable = ({ clusterFlag }: HealthInput, host: string): HealthFinding => ({
  host,
  severity: 'failed',
  found: 'host unreachable',
  next: `kubexm check hosts ${clusterFlag} --nodes ${host}`,
});

/** "1 host", "3 hosts" */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

export const NO_API_SERVER: Verdict = { type: 'unknown', found: 'no API server responded' };
