import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import { createHeartbeats, type Heartbeats, type Held } from './heartbeats.ts';
import { isDead, currentHolder } from './holder.ts';
import type { LockRequest, LockStore } from './lock-store.ts';

/** The locations where a lock is held. */
export interface Hold extends Heartbeats {
  /** Acquires the lock at one location. Throws LOCKED if another operator holds it there. */
  take(store: LockStore): Promise<void>;
  /** Raises the fencing token at one location to the highest token. */
  raise(store: LockStore): Promise<void>;
  /**
   * Releases the lock at all locations, including those where it is still being acquired. Deletes the lock files from
   * hosts that `isRemoved` selects.
   */
  release(isRemoved?: (name: string) => boolean): Promise<void>;
  /** Returns the highest fencing token. */
  fence(): number;
  /** Returns the fencing token at one location. */
  numberOn(name: string): number | undefined;
  /** Aborted when another operator takes over. */
  readonly lost: AbortSignal;
}

/** What is locked, and by which run. */
export interface HoldOptions {
  readonly cluster: string;
  /** Command, such as "create cluster". */
  readonly what: string;
  readonly run: string;
  readonly staleMs?: number;
}

export function createHold(options: HoldOptions): Hold {
  const { cluster, staleMs = 30_000 } = options;
  const holder = currentHolder(options);
  const held = new Map<string, Held>();
  const taking = new Set<Promise<void>>();
  const lost = new AbortController();
  let fence = 1;
  let closed = false;

  const takeOne = async (store: LockStore): Promise<void> => {
    const ask = { holder, staleMs, atLeast: fence };
    const taken = await takeOver(store, ask);
    if (taken.type === 'held') {
      const { owner, what, since, run } = taken.holder;
      throw fail('LOCKED', { cluster, owner, what, since, run, where: store.name });
    }
    fence = Math.max(fence, taken.fence);
    held.set(store.name, { store, number: taken.fence });
  };
  const take = async (store: LockStore): Promise<void> => {
    if (closed) throw fail('INTERRUPTED', {});
    const act = takeOne(store).finally(() => taking.delete(act));
    taking.add(act);
    await act;
  };
  const raise = async (store: LockStore): Promise<void> => {
    const now = held.get(store.name)?.number;
    if (now === undefined || now >= fence) return;
    const taken = await store.take({ holder, staleMs, atLeast: fence, over: now });
    if (taken.type === 'taken') held.set(store.name, { store, number: taken.fence });
  };
  const heartbeats = createHeartbeats(held, (other, where) =>
    lost.abort(fail('LOCK_LOST', { cluster, owner: other.owner, where })),
  );
  return {
    take,
    raise,
    ...heartbeats,
    release: async (isRemoved) => {
      closed = true;
      await Promise.allSettled(taking);
      await releaseAll([...held.values()], isRemoved);
    },
    fence: () => fence,
    numberOn: (name) => held.get(name)?.number,
    lost: lost.signal,
  };
}

/** Does not wait for unreachable hosts, whose locks become stale. */
async function releaseAll(held: readonly Held[], isRemoved = (_name: string) => false): Promise<void> {
  const released = Promise.allSettled(held.map(({ store, number }) => store.release(number, isRemoved(store.name))));
  const waiting = new AbortController();
  await Promise.race([released, sleep(RELEASE_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}

const RELEASE_MS = 5000;

async function takeOver(store: LockStore, ask: LockRequest) {
  const taken = await store.take(ask);
  return taken.type === 'held' && isDead(taken.holder) ? store.take({ ...ask, over: taken.fence }) : taken;
}
