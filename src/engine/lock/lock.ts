import { KubexmError } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { DECIDING_HOSTS } from './heartbeats.ts';
import { createHold, type Hold, type HoldOptions } from './hold.ts';
import type { LockStore } from './lock-store.ts';

/** An exclusive lock on a cluster, held for as long as it is renewed. */
export interface ClusterLock extends AsyncDisposable {
  /** Higher than the fencing token of every earlier holder. */
  readonly fence: number;
  /** The fencing token at one location, which may be lower; undefined where the lock could not be taken. */
  numberOn(name: string): number | undefined;
  /** Aborted when another operator takes over. */
  readonly lost: AbortSignal;
  /** Locks one more host; await it before changing the host. Throws LOCKED if another operator holds it. */
  join(host: string): Promise<void>;
  /** Runs a change of a host, which gets heartbeats meanwhile. */
  during<T>(host: string, change: () => Promise<T>): Promise<T>;
  /** Sends heartbeats and detects a takeover. Also runs automatically every few seconds. */
  renew(): Promise<void>;
  /** Throws LOCK_LOST after a takeover. */
  check(): void;
  /** Makes the release delete the lock files from these hosts, because they left the cluster; from all hosts by default. */
  removeOnRelease(hosts?: ReadonlySet<string>): void;
}

/** What to lock, for whom, and where. */
export interface LockOptions extends HoldOptions {
  readonly local: LockStore;
  /** The first ones that respond decide between two operators, so all runs of a cluster must list the same hosts first. */
  readonly hosts: readonly LockStore[];
  readonly heartbeatMs?: number;
  /** How long to wait at the start after the last host responded; unresponsive hosts are locked before their first step. */
  readonly patienceMs?: number;
}

/** Takes the lock locally and on all responsive hosts, or nowhere. LOCKED names the holder; a stale lock can be taken after 30 s. */
export async function lockCluster(options: LockOptions): Promise<ClusterLock> {
  const { local, hosts, heartbeatMs = 5000, patienceMs = 3000 } = options;
  const hold = createHold(options);
  using patience = createPatience(patienceMs);
  const joins = joinsOf(hold, hosts, () => patience.renew());
  try {
    await hold.take(local);
    const tooLate = patience.over.then(() => false);
    const inTime: InTime = (host) => Promise.race([joins.responds(host), tooLate]);
    await takeFirst(hosts, joins, inTime);
    await Promise.race([takeOthers(hosts, joins, inTime), patience.over]);
    await hold.raise(local);
  } catch (error) {
    await hold.release();
    throw error;
  }
  let isRemoved = (_name: string) => false;
  const timer = setInterval(() => void hold.renew(), heartbeatMs).unref();
  return {
    fence: hold.fence(),
    numberOn: (name) => hold.numberOn(name),
    lost: hold.lost,
    join: (host) => joins.join(host),
    during: (host, change) => hold.during(host, change),
    renew: () => hold.renew(),
    check: () => hold.lost.throwIfAborted(),
    removeOnRelease: (names) => void (isRemoved = (name) => names?.has(name) ?? true),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await hold.release(isRemoved);
    },
  };
}

interface Joins {
  /** Whether a host responds. */
  responds(host: string): Promise<boolean>;
  /** Takes the lock on a host once it responds; every caller gets the same promise. */
  join(host: string): Promise<void>;
}

/** `onProgress` is called when a host responds or is locked. */
function joinsOf(hold: Hold, hosts: readonly LockStore[], onProgress: () => void): Joins {
  const stores = new Map(hosts.map((store) => [store.name, store]));
  const reaching = new Map(hosts.map((store) => [store.name, store.reach()]));
  const responses = new Map([...reaching].map(([name, reached]) => [name, isFulfilled(reached, onProgress)]));
  const joins = new Map<string, Promise<void>>();
  return {
    responds: (host) => responses.get(host)!,
    join: (host) => {
      const store = stores.get(host);
      if (!store) return Promise.resolve();
      const take = () => hold.take(store).finally(onProgress);
      const joining = joins.get(host) ?? reaching.get(host)!.then(take);
      joins.set(host, joining);
      joining.catch(() => {});
      return joining;
    },
  };
}

const isFulfilled = (promise: Promise<unknown>, onProgress: () => void): Promise<boolean> =>
  promise.then(
    () => (onProgress(), true),
    () => false,
  );

interface Patience extends Disposable {
  /** Resolves when it was not renewed for its whole time. */
  readonly over: Promise<void>;
  renew(): void;
}

/** Counts from the last sign of progress, because many hosts are connected one group after another. */
function createPatience(ms: number): Patience {
  const timer = setTimeout(() => end(), ms);
  let end = () => {};
  let disposed = false;
  return {
    over: new Promise<void>((resolve) => (end = resolve)),
    renew: () => void (disposed || timer.refresh()),
    [Symbol.dispose]: () => {
      disposed = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Takes the deciding hosts one after the other, so that two operators compete for the same ones before they lock any
 * other host; unresponsive hosts are skipped.
 */
async function takeFirst(hosts: readonly LockStore[], joins: Joins, inTime: InTime): Promise<void> {
  let taken = 0;
  for (const { name } of hosts) {
    if (taken === DECIDING_HOSTS) return;
    if (!(await inTime(name))) continue;
    const error: unknown = await joins.join(name).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error === undefined) taken += 1;
    else skipUnavailable(error);
  }
}

async function takeOthers(hosts: readonly LockStore[], joins: Joins, inTime: InTime): Promise<void> {
  await Promise.all(
    hosts.map(async ({ name }) => {
      if (await inTime(name)) await joins.join(name).catch(skipUnavailable);
    }),
  );
}

type InTime = (host: string) => Promise<boolean>;

/** Skips hosts that are unreachable or cannot store a lock: joining them before their first step throws the error. */
function skipUnavailable(error: unknown): void {
  const known = error instanceof KubexmError;
  if (!known || (error.exit !== EXIT.connection && error.code !== 'LOCK_UNWRITABLE')) throw error;
}
