import { join } from 'node:path';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { knownHosts } from '../../connector/known-hosts.ts';
import { sshConnector } from '../../connector/ssh.ts';
import { sshTarget } from './ssh-target.ts';

/** A host and its connector, which connects on first use. */
export interface ConnectedHost {
  readonly host: ClusterHost;
  readonly connector: Connector;
}

/** Creates SSH connectors for the given hosts. Host keys are stored in the cluster folder. */
export async function connectHosts(
  cluster: Cluster,
  hosts: readonly ClusterHost[],
  workdir: string,
): Promise<readonly ConnectedHost[]> {
  const known = knownHosts(join(workdir, '.kubexm', cluster.name, 'known_hosts'));
  return Promise.all(
    hosts.map(async (host) => ({ host, connector: sshConnector(await sshTarget(cluster, host), known) })),
  );
}
