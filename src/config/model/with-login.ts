import { resolve } from 'node:path';
import type { Cluster } from './cluster.ts';

/** How to log in to all hosts, whatever the file says of each. */
export interface CommonLogin {
  readonly sshUser?: string | undefined;
  /** A file on this machine. */
  readonly sshPrivateKey?: string | undefined;
}

/** The cluster as somebody else reaches it. */
export function withLogin(cluster: Cluster, { sshUser, sshPrivateKey }: CommonLogin): Cluster {
  if (sshUser === undefined && sshPrivateKey === undefined) return cluster;
  const common = {
    ...(sshUser !== undefined && { user: sshUser }),
    ...(sshPrivateKey !== undefined && { privateKey: undefined, privateKeyPath: resolve(sshPrivateKey) }),
  };
  return { ...cluster, hosts: cluster.hosts.map((host) => ({ ...host, login: { ...host.login, ...common } })) };
}
