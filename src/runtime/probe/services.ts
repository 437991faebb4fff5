import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import { servicesOf } from '../../step/kubernetes/binary/control-plane.ts';
import { KUBELET } from '../../template/kubernetes/paths.ts';

/**
 * The Kubernetes units of a host, and those that are not active, e.g. "kube-scheduler.service" in the state "failed".
 */
export interface ServiceStates {
  readonly units: readonly string[];
  readonly down: readonly { readonly unit: string; readonly state: string }[];
}

/** The Kubernetes units of a node: the kubelet, and in binary mode every component. */
export function kubernetesUnits(cluster: Cluster, host: ClusterHost): readonly string[] {
  if (!isNode(host)) return [];
  const components = cluster.kubernetes.type === 'kubexm' ? servicesOf(cluster, host.roles.includes('master')) : [];
  return [KUBELET.unit, ...components.map((name) => `${name}.service`)];
}

export const servicesProbe = (units: readonly string[]): Command => ({
  text: `systemctl is-active ${units.map((unit) => sh`${unit}`.text).join(' ')}`,
  display: 'systemctl is-active',
});

/** Parses one state per line, in the order of the units. */
export function parseServices(units: readonly string[], { stdout }: ExecResult): ServiceStates {
  const states = stdout.split('\n');
  const all = units.map((unit, at) => ({ unit, state: states[at]?.trim() || 'unknown' }));
  return { units, down: all.filter(({ state }) => state !== 'active') };
}
