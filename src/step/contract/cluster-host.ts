import type { Host } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';

/** A host as the cluster file describes it. */
export function clusterHost({ hosts, name }: Cluster, host: Host): ClusterHost {
  const found = hosts.find((one) => one.name === host.name);
  if (!found) throw new TypeError(`${host.name} is no host of ${name}`);
  return found;
}
