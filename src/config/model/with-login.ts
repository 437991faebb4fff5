import { resolve } from 'node:path';
import type { Cluster } from './cluster.ts';

/** SSH flags that override the login of every host. */
export interface CommonLogin {
  readonly sshUser?: string | undefined;
  /** Path of a private key on this machine. */
  readonly sshPrivateKey?: string | undefined;
  readonly hostKeys?: Cluster['hostKeys'] | undefined;
}

/** Applies the SSH flags to all hosts. */
export function withLogin(written: Cluster, { sshUser, sshPrivateKey, hostKeys }: CommonLogin): Cluster {
  const cluster = hostKeys === undefined ? written : { ...written, hostKeys };
  if (sshUser === undefined && sshPrivateKey === undefined) return cluster;
  const common = {
    ...(sshUser !== undefined && { user: sshUser }),
    ...(sshPrivateKey !== undefined && { privateKey: undefined, privateKeyPath: resolve(sshPrivateKey) }),
  };
  return { ...cluster, hosts: cluster.hosts.map((host) => ({ ...host, login: { ...host.login, ...common } })) };
}
