import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { ExecResult } from '../../connector/connector.ts';
import { sh, type Command } from '../../runner/command.ts';
import { servicesOf } from '../../step/kubernetes/binary/steps.ts';
import { KUBELET } from '../../template/kubeadm/kubelet-unit.ts';

/** Services of Kubernetes on a host, and those that do not run: "kube-scheduler.service", "failed". */
export interface ServicesSeen {
  readonly units: readonly string[];
  readonly down: readonly { readonly unit: string; readonly state: string }[];
}

/** What runs as services of a node: the kubelet, and without kubeadm all parts of Kubernetes. */
export function unitsOn(cluster: Cluster, host: ClusterHost): readonly string[] {
  if (!isNode(host)) return [];
  const parts = cluster.kubernetes.type === 'kubexm' ? servicesOf(cluster, host.roles.includes('master')) : [];
  return [KUBELET.unit, ...parts.map((name) => `${name}.service`)];
}

export const servicesQuestion = (units: readonly string[]): Command => ({
  text: `systemctl is-active ${units.map((unit) => sh`${unit}`.text).join(' ')}`,
  display: 'systemctl is-active',
});

/** One line for each, in their order. */
export function readServices(units: readonly string[], { stdout }: ExecResult): ServicesSeen {
  const states = stdout.split('\n');
  const seen = units.map((unit, at) => ({ unit, state: states[at]?.trim() || 'unknown' }));
  return { units, down: seen.filter(({ state }) => state !== 'active') };
}
