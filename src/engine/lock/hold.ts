import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import { isDead, whoWeAre } from './holder.ts';
import type { LockOptions } from './lock.ts';
import type { Ask, LockPlace } from './lock-store.ts';

/** The places where a lock is held, for as long as it is. */
export interface Hold {
  /** LOCKED when somebody else has it there. */
  take(place: LockPlace): Promise<void>;
  /** When another place had a higher number, this one follows. */
  raise(place: LockPlace): Promise<void>;
  /** Gives a sign of life everywhere. */
  renew(): Promise<void>;
  /** Lets go everywhere; what is about to be taken, too. With `leave` hosts keep nothing of it. */
  release(leave?: boolean): Promise<void>;
  /** The highest number. */
  fence(): number;
  /** The number at one place. */
  numberOn(place: string): number | undefined;
  /** Aborted when somebody else took it over. */
  readonly lost: AbortSignal;
}

export function createHold(options: Pick<LockOptions, 'cluster' | 'what' | 'run' | 'staleMs'>): Hold {
  const { cluster, staleMs = 30_000 } = options;
  const holder = whoWeAre(options);
  const held = new Map<LockPlace, number>();
  const taking = new Set<Promise<void>>();
  const beating = new Map<LockPlace, Promise<void>>();
  const lost = new AbortController();
  let fence = 1;
  let closed = false;

  const takeOne = async (place: LockPlace): Promise<void> => {
    const ask = { holder, staleMs, atLeast: fence };
    const taken = await takeOver(place, ask);
    if (taken.type === 'held') {
      const { owner, what, since, run } = taken.holder;
      throw fail('LOCKED', { cluster, owner, what, since, run, where: place.name });
    }
    fence = Math.max(fence, taken.fence);
    held.set(place, taken.fence);
  };
  const take = async (place: LockPlace): Promise<void> => {
    if (closed) throw fail('INTERRUPTED', {});
    const act = takeOne(place).finally(() => taking.delete(act));
    taking.add(act);
    await act;
  };
  const raise = async (place: LockPlace): Promise<void> => {
    const now = held.get(place);
    if (now === undefined || now >= fence) return;
    const taken = await place.take({ holder, staleMs, atLeast: fence, over: now });
    if (taken.type === 'taken') held.set(place, taken.fence);
  };
  const beatOnce = async (place: LockPlace, number: number): Promise<void> => {
    // A heartbeat that does not get through is no loss: whoever takes over leaves a higher number.
    const other = await place.renew(number).catch(() => undefined);
    if (other) lost.abort(fail('LOCK_LOST', { cluster, owner: other.owner, where: place.name }));
  };
  // A host that does not answer is not asked again and again: one beat is waited for by all.
  const beat = (place: LockPlace, number: number): Promise<void> => {
    const now = beating.get(place) ?? beatOnce(place, number).finally(() => beating.delete(place));
    beating.set(place, now);
    return now;
  };
  return {
    take,
    raise,
    renew: async () => void (await Promise.all([...held].map(([place, number]) => beat(place, number)))),
    release: async (leave) => {
      closed = true;
      await Promise.allSettled(taking);
      const letting = Promise.allSettled([...held].map(([place, number]) => place.release(number, leave)));
      // A host that is gone need not be waited for: its lock can be taken once it is old.
      const waiting = new AbortController();
      await Promise.race([letting, sleep(RELEASE_MS, undefined, { signal: waiting.signal }).catch(() => {})]);
      waiting.abort();
    },
    fence: () => fence,
    numberOn: (name) => [...held].find(([place]) => place.name === name)?.[1],
    lost: lost.signal,
  };
}

const RELEASE_MS = 5000;

async function takeOver(place: LockPlace, ask: Ask) {
  const taken = await place.take(ask);
  return taken.type === 'held' && isDead(taken.holder) ? place.take({ ...ask, over: taken.fence }) : taken;
}
