import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { knownHosts, type NewHostKey } from '../../connector/known-hosts.ts';
import { sshConnector } from '../../connector/ssh.ts';
import { sshTarget } from './ssh-target.ts';

/** A host and its connector, which connects on first use. */
export interface ConnectedHost {
  readonly host: ClusterHost;
  readonly connector: Connector;
}

/** Called for each host whose key is trusted on first use. */
export type OnNewHostKey = (key: NewHostKey) => void;

/** Creates SSH connectors for the given hosts. Host keys are stored in the cluster folder; those that ssh knows count, too. */
export async function connectHosts(
  cluster: Cluster,
  hosts: readonly ClusterHost[],
  workdir: string,
  onNewHostKey: OnNewHostKey = () => {},
): Promise<readonly ConnectedHost[]> {
  const known = knownHosts(join(workdir, '.kubexm', cluster.name, 'known_hosts'), {
    mode: cluster.hostKeys,
    also: [join(homedir(), '.ssh', 'known_hosts'), '/etc/ssh/ssh_known_hosts'],
    onNewHostKey,
  });
  return Promise.all(
    hosts.map(async (host) => ({ host, connector: sshConnector(await sshTarget(cluster, host), known) })),
  );
}
