import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { ExecutionGraph } from '../../../../src/plan/graph.ts';
import { touchedHosts } from '../../../../src/runtime/plan/plan-run.ts';

export const ETCD = 'etcd.type=kubexm';

/** Three masters and two workers behind an internal haproxy, in binary mode with their own etcd. */
export const binary = (...more: readonly string[]): Promise<Cluster> =>
  loadCluster('examples/ha-haproxy.yaml', { overrides: ['kubernetes.type=kubexm', ETCD, ...more] });

/** The same hosts with kubeadm and stacked etcd. */
export const kubeadm = (...more: readonly string[]): Promise<Cluster> =>
  loadCluster('examples/ha-haproxy.yaml', { overrides: ['etcd.type=kubeadm', ...more] });

/** The names of the hosts that a plan connects to. */
export const touchedBy = (graph: ExecutionGraph): readonly string[] =>
  touchedHosts(graph)
    .map(({ name }) => name)
    .toSorted();
