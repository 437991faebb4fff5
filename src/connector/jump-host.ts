import type { KnownHosts } from './known-hosts.ts';
import { SshConnection } from './ssh-connection.ts';
import { endpointOf, type Target } from './target.ts';

/** A connection that several hosts go through; it is closed when the last of them lets go. */
export interface SharedConnection {
  readonly link: SshConnection;
  release(): Promise<void>;
}

/** The one connection of a cluster to a jump host. */
export function shareJumpHost(target: Target, known: KnownHosts): SharedConnection {
  const links = perCluster.get(known) ?? new Map<string, Shared>();
  perCluster.set(known, links);
  const key = `${target.user}@${endpointOf(target)}`;
  const shared = links.get(key) ?? open(target, known);
  links.set(key, shared);
  shared.users++;
  let released = false;
  return Object.freeze({
    link: shared.link,
    async release() {
      if (released) return;
      released = true;
      if (--shared.users > 0) return;
      links.delete(key);
      await shared.link.close();
      await shared.before?.release();
    },
  });
}

interface Shared {
  readonly link: SshConnection;
  readonly before: SharedConnection | undefined;
  users: number;
}

function open(target: Target, known: KnownHosts): Shared {
  const before = target.jump && shareJumpHost(target.jump, known);
  return { link: new SshConnection(target, known, before?.link, { isJump: true }), before, users: 0 };
}

const perCluster = new WeakMap<KnownHosts, Map<string, Shared>>();
