import { ADMIN_CONF } from '../../step/kubernetes-object/kubectl.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { ClusterLook } from '../probe/probe-cluster.ts';
import type { HostSeen, HostUnseen } from '../probe/probe-host.ts';
import type { KubernetesLook } from '../probe/probe-kubernetes.ts';

/** All that checks decide by: plain data, so that a check needs no machine. */
export interface HealthScene extends ClusterLook {
  readonly cluster: Cluster;
  /** How the cluster is named on a command line: "-c prod". */
  readonly named: string;
}

/** One thing that is not as it should be, and what to do next. */
export interface HealthFinding {
  /** Undefined when it is about the cluster as a whole. */
  readonly host?: string;
  readonly severity: 'failed' | 'warning';
  readonly found: string;
  /** A command to paste. */
  readonly next: string;
}

/** What a check says: that all is well and why, what is wrong, or that it cannot tell. */
export type Verdict =
  | { readonly type: 'judged'; readonly found: string; readonly findings: readonly HealthFinding[] }
  | { readonly type: 'unknown'; readonly found: string };

/** A question about a cluster that runs, with its answer as a pure function. */
export interface HealthCheck {
  /** Permanent: scripts read it. */
  readonly name: string;
  /** As a condition of the cluster is called: "EtcdHealthy". */
  readonly condition: string;
  readonly judge: (scene: HealthScene) => Verdict;
}

/** What came of a check. */
export interface HealthResult {
  readonly check: string;
  readonly condition: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'unknown';
  readonly found: string;
  readonly findings: readonly HealthFinding[];
}

export const seenHosts = ({ hosts }: HealthScene): readonly HostSeen[] => hosts.filter((look) => look.type === 'seen');

export const unseenHosts = ({ hosts }: HealthScene): readonly HostUnseen[] =>
  hosts.filter((look) => look.type === 'unseen');

/** Undefined when no API server answers: then nothing is known of nodes and pods. */
export const kubernetesIn = ({ kubernetes }: HealthScene): KubernetesLook | undefined =>
  kubernetes.master === undefined ? undefined : kubernetes;

/** A command on a host, to be pasted here. */
export const on = ({ named }: HealthScene, host: string, command: string): string =>
  `kubexm run command ${named} --nodes ${host} -- '${command}'`;

/** A command of kubectl, to be pasted here whether or not there is a kubectl. */
export const kubectlOn = (scene: HealthScene, command: string): string =>
  on(scene, scene.kubernetes.master ?? 'role:master', `kubectl --kubeconfig ${ADMIN_CONF} ${command}`);

/** What should run on a host cannot be asked. */
export const notReached = ({ named }: HealthScene, host: string): HealthFinding => ({
  host,
  severity: 'failed',
  found: 'its host was not reached',
  next: `kubexm check hosts ${named} --nodes ${host}`,
});

/** "1 host", "3 hosts" */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

export const SILENT: Verdict = { type: 'unknown', found: 'no API server answers, so nobody can tell' };
