import type { Holder, LockStore } from './lock-store.ts';

/** Renews a lock with heartbeats. */
export interface Heartbeats {
  /**
   * Sends a heartbeat to this machine, the deciding hosts and busy hosts. Idle hosts need none, because another
   * operator is refused by a deciding host first.
   */
  renew(): Promise<void>;
  /** Counts a host as busy while something changes it. */
  during<T>(name: string, change: () => Promise<T>): Promise<T>;
}

/** A location of the lock, and its fencing token at this location. */
export interface Held {
  readonly store: LockStore;
  readonly number: number;
}

/**
 * The number of hosts that decide between competing operators: the first hosts that respond, in the order of the
 * cluster.
 */
export const DECIDING_HOSTS = 3;

/** Creates heartbeats. `held` contains the locations by name, in the order in which they were locked. */
export function createHeartbeats(
  held: ReadonlyMap<string, Held>,
  onLost: (other: Holder, where: string) => void,
): Heartbeats {
  const busy = new Map<string, number>();
  const beating = new Map<string, Promise<void>>();
  const beatOnce = async ({ store, number }: Held): Promise<void> => {
    // A lost heartbeat is harmless, because an operator who takes over leaves a higher fencing token.
    const other = await store.renew(number).catch(() => undefined);
    if (other) onLost(other, store.name);
  };
  // Sends only one heartbeat at a time to each host, so that requests to an unresponsive host do not accumulate.
  const beat = (one: Held): Promise<void> => {
    const { name } = one.store;
    const now = beating.get(name) ?? beatOnce(one).finally(() => beating.delete(name));
    beating.set(name, now);
    return now;
  };
  return {
    async renew() {
      const working = [...busy.keys()].flatMap((name) => held.get(name) ?? []);
      await Promise.all([...new Set([...deciding(held), ...working])].map(beat));
    },
    async during(name, change) {
      busy.set(name, (busy.get(name) ?? 0) + 1);
      try {
        return await change();
      } finally {
        const left = busy.get(name)! - 1;
        if (left > 0) busy.set(name, left);
        else busy.delete(name);
      }
    },
  };
}

/** Returns this machine and the deciding hosts, which were locked first. */
function* deciding(held: ReadonlyMap<string, Held>): Iterable<Held> {
  let left = 1 + DECIDING_HOSTS;
  for (const one of held.values()) {
    if (left-- === 0) return;
    yield one;
  }
}
