import { createHash } from 'node:crypto';
import type { KnownHosts } from './known-hosts.ts';
import { SshConnection } from './ssh-connection.ts';
import { endpointOf, type Target } from './target.ts';

/** A jump host connection that several hosts share. It closes when the last host releases it. */
export interface SharedConnection {
  readonly connection: SshConnection;
  release(): Promise<void>;
}

/** Returns the connection to a jump host, which is opened once and shared. */
export function shareJumpHost(target: Target, known: KnownHosts): SharedConnection {
  const connections = perCluster.get(known) ?? new Map<string, Shared>();
  perCluster.set(known, connections);
  const key = loginKey(target);
  const shared = connections.get(key) ?? open(target, known);
  connections.set(key, shared);
  shared.users++;
  let released = false;
  return Object.freeze({
    connection: shared.connection,
    async release() {
      if (released) return;
      released = true;
      if (--shared.users > 0) return;
      connections.delete(key);
      await shared.connection.close();
      await shared.previous?.release();
    },
  });
}

/**
 * Returns the key of a shared connection. Hosts share it only if they use the same login and expect the same host key.
 */
function loginKey(target: Target): string {
  const { user, hostKey, privateKeyPath, agent, password, privateKey, passphrase, jump } = target;
  const secrets = [password, privateKey, passphrase].map((secret) => secret?.reveal());
  const login = [user, endpointOf(target), hostKey, privateKeyPath, agent, secrets, jump && loginKey(jump)];
  return createHash('sha256').update(JSON.stringify(login)).digest('hex');
}

interface Shared {
  readonly connection: SshConnection;
  /** The jump host in front of this jump host, if any. */
  readonly previous: SharedConnection | undefined;
  users: number;
}

function open(target: Target, known: KnownHosts): Shared {
  const previous = target.jump && shareJumpHost(target.jump, known);
  const connection = new SshConnection(target, known, previous?.connection, { isJump: true });
  return { connection, previous, users: 0 };
}

const perCluster = new WeakMap<KnownHosts, Map<string, Shared>>();
