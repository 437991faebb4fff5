import { setTimeout as sleep } from 'node:timers/promises';
import { KubexmError } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { createHold, type Hold, type HoldOptions } from './hold.ts';
import type { LockStore } from './lock-store.ts';

/** An exclusive lock on a cluster, held for as long as it is renewed. */
export interface ClusterLock extends AsyncDisposable {
  /** Higher than the number of every earlier holder. */
  readonly fence: number;
  /** The number at one location, which may be lower; undefined where the lock could not be taken. */
  numberOn(name: string): number | undefined;
  /** Aborted when another operator takes over. */
  readonly lost: AbortSignal;
  /** Locks one more host; await it before changing the host. Throws LOCKED if another operator holds it. */
  join(host: string): Promise<void>;
  /** Sends a heartbeat to all locations and detects a takeover; runs every few seconds anyway. */
  renew(): Promise<void>;
  /** Throws LOCK_LOST after a takeover. */
  check(): void;
  /** Makes the release delete the lock files from the hosts, because the cluster was deleted. */
  removeOnRelease(): void;
}

/** What to lock, for whom, and where. */
export interface LockOptions extends HoldOptions {
  readonly local: LockStore;
  /** The first one that responds decides between two operators who start at the same time. */
  readonly hosts: readonly LockStore[];
  readonly heartbeatMs?: number;
  /** How long to wait for unresponsive hosts at the start; they are locked before their first step. */
  readonly patienceMs?: number;
}

/** Takes the lock locally and on all responsive hosts, or nowhere. LOCKED names the holder; a stale lock can be taken after 30 s. */
export async function lockCluster(options: LockOptions): Promise<ClusterLock> {
  const { local, hosts, heartbeatMs = 5000, patienceMs = 3000 } = options;
  const hold = createHold(options);
  const joins = joinsOf(hold, hosts);
  const waiting = new AbortController();
  const patience = () => sleep(patienceMs, undefined, { signal: waiting.signal }).catch(() => {});
  try {
    await hold.take(local);
    const tooLate = patience().then(() => false);
    const inTime: InTime = (host) => Promise.race([joins.responds(host), tooLate]);
    await takeFirst(hosts, joins, inTime);
    await Promise.race([takeOthers(hosts, joins, inTime), patience()]);
    await hold.raise(local);
  } catch (error) {
    await hold.release();
    throw error;
  } finally {
    waiting.abort();
  }
  let removing = false;
  const timer = setInterval(() => void hold.renew(), heartbeatMs).unref();
  return {
    fence: hold.fence(),
    numberOn: (name) => hold.numberOn(name),
    lost: hold.lost,
    join: (host) => joins.join(host),
    renew: () => hold.renew(),
    check: () => hold.lost.throwIfAborted(),
    removeOnRelease: () => void (removing = true),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await hold.release(removing);
    },
  };
}

interface Joins {
  /** Whether a host responds. */
  responds(host: string): Promise<boolean>;
  /** Takes the lock on a host once it responds; every caller gets the same promise. */
  join(host: string): Promise<void>;
}

function joinsOf(hold: Hold, hosts: readonly LockStore[]): Joins {
  const reaching = new Map(hosts.map((store) => [store.name, store.reach()]));
  const responses = new Map([...reaching].map(([name, reached]) => [name, isFulfilled(reached)]));
  const joins = new Map<string, Promise<void>>();
  return {
    responds: (host) => responses.get(host)!,
    join: (host) => {
      const store = hosts.find(({ name }) => name === host);
      if (!store) return Promise.resolve();
      const joining = joins.get(host) ?? reaching.get(host)!.then(() => hold.take(store));
      joins.set(host, joining);
      joining.catch(() => {});
      return joining;
    },
  };
}

const isFulfilled = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** In the order of the hosts, so that two operators compete for the same one first; unresponsive hosts are skipped. */
async function takeFirst(hosts: readonly LockStore[], joins: Joins, inTime: InTime): Promise<void> {
  for (const { name } of hosts) {
    if (!(await inTime(name))) continue;
    const error: unknown = await joins.join(name).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error === undefined) return;
    skipUnavailable(error);
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
