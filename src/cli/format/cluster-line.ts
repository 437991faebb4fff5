import { ROLES } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';

/** A cluster in one sentence. */
export function describeCluster({ name, hosts, kubernetes, etcd, network }: Cluster): string {
  const roles = ROLES.map((role) => ({ role, count: hosts.filter((host) => host.roles.includes(role)).length }))
    .filter(({ count }) => count > 0)
    .map(({ role, count }) => `${count} ${role}`);
  return `${name}, ${hosts.length === 1 ? 'one host' : `${hosts.length} hosts`} (${roles.join(', ')}), Kubernetes ${kubernetes.version} by ${kubernetes.type}, ${kubernetes.containerRuntime.type}, etcd ${etcd.type}, ${network.plugin.type}`;
}
