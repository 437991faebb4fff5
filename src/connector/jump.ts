import type { KnownHosts } from './known-hosts.ts';
import { Link } from './link.ts';
import { endpointOf, type Target } from './target.ts';

/** A connection that several hosts go through; it is closed when the last of them lets go. */
export interface SharedLink {
  readonly link: Link;
  release(): Promise<void>;
}

/** The one connection of a cluster to a jump host. */
export function shareJump(target: Target, known: KnownHosts): SharedLink {
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
  readonly link: Link;
  readonly before: SharedLink | undefined;
  users: number;
}

function open(target: Target, known: KnownHosts): Shared {
  const before = target.jump && shareJump(target.jump, known);
  return { link: new Link(target, known, before?.link, { isJump: true }), before, users: 0 };
}

const perCluster = new WeakMap<KnownHosts, Map<string, Shared>>();
