import { join } from 'node:path';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { knownHosts } from '../../connector/known-hosts.ts';
import { sshConnector } from '../../connector/ssh.ts';
import { targetOf } from './ssh-target.ts';

/** A host with a way to reach it; the connection is made when it is first needed. */
export interface ConnectedHost {
  readonly host: ClusterHost;
  readonly connector: Connector;
}

/** Ways to reach hosts of a cluster. Host keys are remembered in the folder of the cluster. */
export async function connectHosts(
  cluster: Cluster,
  hosts: readonly ClusterHost[],
  workdir: string,
): Promise<readonly ConnectedHost[]> {
  const known = knownHosts(join(workdir, '.kubexm', cluster.name, 'known_hosts'));
  return Promise.all(
    hosts.map(async (host) => ({ host, connector: sshConnector(await targetOf(cluster, host), known) })),
  );
}
