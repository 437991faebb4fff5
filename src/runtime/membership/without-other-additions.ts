import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { AppliedHosts } from '../../step/state/applied-hosts.ts';

/**
 * Returns the cluster without the hosts and roles that the cluster file has, but the cluster does not, except those of the
 * selected hosts: only these are added now. Hosts without a role stay, because they can be jump hosts.
 */
export function withoutOtherAdditions(cluster: Cluster, applied: AppliedHosts, selected: ReadonlySet<string>): Cluster {
  const hosts = cluster.hosts.flatMap((host): readonly ClusterHost[] => {
    if (selected.has(host.name) || host.roles.length === 0) return [host];
    const known = applied.get(host.name) ?? [];
    const roles = host.roles.filter((role) => known.includes(role));
    return roles.length === 0 ? [] : [{ ...host, roles }];
  });
  const masters = hosts.filter(({ roles }) => roles.includes('master')).map(({ name }) => name);
  const firstMaster = masters.includes(cluster.firstMaster) ? cluster.firstMaster : (masters[0] ?? '');
  return { ...cluster, hosts, firstMaster };
}
