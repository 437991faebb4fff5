import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { runtimeDataDir } from '../../config/model/container-runtimes.ts';
import { etcdOn } from '../../config/model/ports.ts';
import { hasRole } from './check.ts';

/** A directory that the cluster fills, and how much room it asks for. */
export interface NeededSpace {
  readonly path: string;
  readonly bytes: number;
  /** Programs are started from there. */
  readonly runs?: boolean;
}

const GIB = 2 ** 30;

/** What a host needs room for, by its roles. */
export function spaceFor(cluster: Cluster, host: ClusterHost): readonly NeededSpace[] {
  const { registry } = cluster;
  const etcd = etcdOn(cluster, host);
  return [
    { path: '/var/lib/kubexm', bytes: GIB },
    { path: '/etc', bytes: 0.05 * GIB },
    ...(isNode(host)
      ? [
          { path: runtimeDataDir(cluster), bytes: 10 * GIB },
          { path: '/var/lib/kubelet', bytes: 5 * GIB, runs: true },
          { path: '/usr/local/bin', bytes: GIB, runs: true },
          { path: '/opt/cni/bin', bytes: 0.2 * GIB, runs: true },
          { path: '/var/log', bytes: GIB },
        ]
      : []),
    ...(etcd ? [{ path: etcd.dataDir, bytes: etcd.quotaBackendBytes * 2 }] : []),
    ...(hasRole(host, 'registry') && (registry.type === 'registry' || registry.type === 'harbor')
      ? [{ path: registry.dataDir, bytes: 20 * GIB }]
      : []),
  ];
}
