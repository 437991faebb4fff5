import { KubexmError } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { DECIDING_HOSTS } from './heartbeats.ts';
import { createHold, type Hold, type HoldOptions } from './hold.ts';
import type { LockStore } from './lock-store.ts';

/** An exclusive lock on a cluster. It is held as long as it is renewed. */
export interface ClusterLock extends AsyncDisposable {
  /** Higher than the fencing token of every earlier holder. */
  readonly fence: number;
  /**
   * Returns the fencing token at one location, which may be lower, or undefined if the lock could not be acquired
   * there.
   */
  numberOn(name: string): number | undefined;
  /** Aborted when another operator takes over. */
  readonly lost: AbortSignal;
  /**
   * Locks an additional host; must be awaited before the host is changed. Throws LOCKED if another operator holds the
   * lock.
   */
  join(host: string): Promise<void>;
  /** Runs an operation that changes a host, and sends heartbeats to the host in the meantime. */
  during<T>(host: string, change: () => Promise<T>): Promise<T>;
  /** Sends heartbeats and detects a takeover. Also runs automatically every few seconds. */
  renew(): Promise<void>;
  /** Throws LOCK_LOST after a takeover. */
  check(): void;
  /** Deletes the lock files from these hosts on release, because they left the cluster. Defaults to all hosts. */
  removeOnRelease(hosts?: ReadonlySet<string>): void;
}

/** What to lock, for whom, and where. */
export interface LockOptions extends HoldOptions {
  readonly local: LockStore;
  /**
   * The first hosts that respond decide between competing operators, so all runs on a cluster must list hosts in the
   * same order.
   */
  readonly hosts: readonly LockStore[];
  readonly heartbeatMs?: number;
  /**
   * How long to wait at the start for further hosts after one responded. Unresponsive hosts are locked before their
   * first step.
   */
  readonly patienceMs?: number;
}

/**
 * Acquires the lock locally and on all responsive hosts, or not at all. Throws LOCKED, which names the holder. A stale
 * lock can be taken over after 30 s.
 */
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
  /** Returns whether a host responds. */
  responds(host: string): Promise<boolean>;
  /** Acquires the lock on a host once it responds. All callers get the same promise. */
  join(host: string): Promise<void>;
}

/** Tracks the locks on hosts. Calls `onProgress` when a host responds or is locked. */
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
  /** Resolves when the time has passed without a call to `renew`. */
  readonly over: Promise<void>;
  renew(): void;
}

/** Creates a timeout that restarts with each progress, because many hosts are connected in groups. */
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
 * Locks the deciding hosts one after another, so that two operators compete for the same hosts before they lock any
 * other host. Skips unresponsive hosts.
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

/** Ignores hosts that are unreachable or cannot store a lock. Locking them before their first step throws the error. */
function skipUnavailable(error: unknown): void {
  const known = error instanceof KubexmError;
  if (!known || (error.exit !== EXIT.connection && error.code !== 'LOCK_UNWRITABLE')) throw error;
}
