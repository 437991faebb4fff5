import { setTimeout as sleep } from 'node:timers/promises';
import { KubexmError } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { createHold, type Hold } from './hold.ts';
import type { LockPlace } from './lock-store.ts';

/** The right to change a cluster, as long as it is renewed. */
export interface ClusterLock extends AsyncDisposable {
  /** Higher than that of everybody before. */
  readonly fence: number;
  /** The number it has at one place, which may be lower; undefined where it could not be taken. */
  numberOn(place: string): number | undefined;
  /** Aborted when somebody else took it over. */
  readonly lost: AbortSignal;
  /** Resolves when a host is locked, too: to be awaited before anything is done there. LOCKED when somebody else has it. */
  join(host: string): Promise<void>;
  /** Gives a sign of life everywhere, as is done every few seconds, and learns who took it over. */
  renew(): Promise<void>;
  /** Throws LOCK_LOST when it was taken over. */
  check(): void;
  /** Nothing of it is to stay on the hosts once it is let go: the cluster is gone. */
  leave(): void;
}

/** What is locked, by whom, and where. */
export interface LockOptions {
  readonly cluster: string;
  /** "create cluster" */
  readonly what: string;
  readonly run: string;
  readonly local: LockPlace;
  /** The first that answers decides between two who come at once. */
  readonly hosts: readonly LockPlace[];
  readonly staleMs?: number;
  readonly heartbeatMs?: number;
  /** How long the start waits for hosts that do not answer; they are locked before their first step. */
  readonly patienceMs?: number;
}

/** Takes the lock here and on all hosts that answer, or nowhere. LOCKED says who has it; one whose run died can be taken after 30 s. */
export async function lockCluster(options: LockOptions): Promise<ClusterLock> {
  const { local, hosts, heartbeatMs = 5000, patienceMs = 3000 } = options;
  const hold = createHold(options);
  const joins = joinsOf(hold, hosts);
  const waiting = new AbortController();
  const patience = () => sleep(patienceMs, undefined, { signal: waiting.signal }).catch(() => {});
  try {
    await hold.take(local);
    const tooLate = patience().then(() => false);
    const inTime: InTime = (host) => Promise.race([joins.answers(host), tooLate]);
    await takeFirst(hosts, joins, inTime);
    await Promise.race([takeOthers(hosts, joins, inTime), patience()]);
    await hold.raise(local);
  } catch (error) {
    await hold.release();
    throw error;
  } finally {
    waiting.abort();
  }
  let leaving = false;
  const timer = setInterval(() => void hold.renew(), heartbeatMs).unref();
  return {
    fence: hold.fence(),
    numberOn: (name) => hold.numberOn(name),
    lost: hold.lost,
    join: (host) => joins.join(host),
    renew: () => hold.renew(),
    check: () => hold.lost.throwIfAborted(),
    leave: () => void (leaving = true),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await hold.release(leaving);
    },
  };
}

interface Joins {
  /** Whether a host is there at all. */
  answers(host: string): Promise<boolean>;
  /** Takes the lock there, once it is there; everybody who asks gets the same answer. */
  join(host: string): Promise<void>;
}

function joinsOf(hold: Hold, hosts: readonly LockPlace[]): Joins {
  const reaching = new Map(hosts.map((place) => [place.name, place.reach()]));
  const answers = new Map([...reaching].map(([name, reached]) => [name, settled(reached)]));
  const joins = new Map<string, Promise<void>>();
  return {
    answers: (host) => answers.get(host)!,
    join: (host) => {
      const place = hosts.find(({ name }) => name === host);
      if (!place) return Promise.resolve();
      const joining = joins.get(host) ?? reaching.get(host)!.then(() => hold.take(place));
      joins.set(host, joining);
      joining.catch(() => {});
      return joining;
    },
  };
}

const settled = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** By the order of the hosts, so that two who come at once meet at the same one; who does not answer in time is passed over. */
async function takeFirst(hosts: readonly LockPlace[], joins: Joins, inTime: InTime): Promise<void> {
  for (const { name } of hosts) {
    if (!(await inTime(name))) continue;
    const error: unknown = await joins.join(name).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error === undefined) return;
    leaveOut(error);
  }
}

async function takeOthers(hosts: readonly LockPlace[], joins: Joins, inTime: InTime): Promise<void> {
  await Promise.all(
    hosts.map(async ({ name }) => {
      if (await inTime(name)) await joins.join(name).catch(leaveOut);
    }),
  );
}

type InTime = (host: string) => Promise<boolean>;

/** A host that cannot be reached or cannot keep a lock is not worked on either: whoever joins it gets the error. */
function leaveOut(error: unknown): void {
  const known = error instanceof KubexmError;
  if (!known || (error.exit !== EXIT.connection && error.code !== 'LOCK_UNWRITABLE')) throw error;
}
