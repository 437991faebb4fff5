import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';

/** The entry of a host in the cluster file. */
export function clusterHost({ hosts, name }: Cluster, host: Host): ClusterHost {
  const byName = indexes.get(hosts) ?? new Map(hosts.map((one) => [one.name, one]));
  indexes.set(hosts, byName);
  const found = byName.get(host.name);
  if (!found) throw new TypeError(`${host.name} is not a host of ${name}`);
  return found;
}

/** Each step looks up each host, so searching the list would take quadratic time. */
const indexes = new WeakMap<readonly ClusterHost[], ReadonlyMap<string, ClusterHost>>();
