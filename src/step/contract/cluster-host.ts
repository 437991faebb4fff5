import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';

/** The entry of a host in the cluster file. */
export function clusterHost({ hosts, name }: Cluster, host: Host): ClusterHost {
  const found = hosts.find((one) => one.name === host.name);
  if (!found) throw new TypeError(`${host.name} is not a host of ${name}`);
  return found;
}
