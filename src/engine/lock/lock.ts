import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { fail, KubexmError } from '../../common/errors.ts';
import { EXIT } from '../../common/exit-codes.ts';
import type { Holder, LockPlace } from './place.ts';

/** The right to change a cluster, as long as it is renewed. */
export interface ClusterLock extends AsyncDisposable {
  /** Higher than that of everybody before. */
  readonly fence: number;
  /** Aborted when somebody else took it over. */
  readonly lost: AbortSignal;
  /** Gives a sign of life everywhere, as is done every few seconds, and learns who took it over. */
  renew(): Promise<void>;
  /** Throws LOCK_LOST when it was taken over. */
  check(): void;
}

/** What is locked, by whom, and where. */
export interface LockOptions {
  readonly cluster: string;
  /** "create cluster" */
  readonly what: string;
  readonly run: string;
  readonly local: LockPlace;
  /** The first is asked first and decides between two who come at once. */
  readonly hosts: readonly LockPlace[];
  readonly staleMs?: number;
  readonly heartbeatMs?: number;
}

/** Takes the lock everywhere or nowhere. LOCKED says who has it; one whose run died can be taken after 30 s. */
export async function lockCluster(options: LockOptions): Promise<ClusterLock> {
  const { cluster, local, hosts, staleMs = 30_000, heartbeatMs = 5000 } = options;
  const holder = whoWeAre(options);
  const held: { readonly place: LockPlace; readonly fence: number }[] = [];
  const release = () => Promise.allSettled(held.map(({ place, fence }) => place.release(fence)));
  let fence = 1;
  const take = async (place: LockPlace): Promise<void> => {
    fence = Math.max(fence, await takeOne(place, { holder, staleMs, atLeast: fence }, cluster));
    held.push({ place, fence });
  };
  try {
    await take(local);
    for (const place of hosts) await take(place).catch(leaveOutUnreachable);
    if (held[0]!.fence < fence) await raise(local, held, { holder, staleMs, atLeast: fence });
  } catch (error) {
    await release();
    throw error;
  }
  return keepAlive(options, held, fence, heartbeatMs, release);
}

type Held = { readonly place: LockPlace; readonly fence: number }[];
type AskHere = Parameters<LockPlace['take']>[0];

async function takeOne(place: LockPlace, ask: AskHere, cluster: string): Promise<number> {
  let taken = await place.take(ask);
  // Our own machine knows that a process is gone at once; no need to wait for its heartbeat to be old.
  if (taken.type === 'held' && isDead(taken.holder)) taken = await place.take({ ...ask, over: taken.fence });
  if (taken.type === 'taken') return taken.fence;
  const { owner, what, since, run } = taken.holder;
  throw fail('LOCKED', { cluster, owner, what, since, run, where: place.name });
}

/** A host had a higher number: the local one follows, so that it stays above all others. */
async function raise(local: LockPlace, held: Held, ask: AskHere): Promise<void> {
  const [first] = held;
  const taken = await local.take({ ...ask, over: first!.fence });
  if (taken.type === 'taken') held[0] = { place: local, fence: taken.fence };
}

/** What cannot be reached cannot be worked on either. */
function leaveOutUnreachable(error: unknown): void {
  if (!(error instanceof KubexmError) || error.exit !== EXIT.connection) throw error;
}

function keepAlive(
  { cluster }: LockOptions,
  held: Held,
  fence: number,
  heartbeatMs: number,
  release: () => Promise<unknown>,
): ClusterLock {
  const lost = new AbortController();
  const beat = async ({ place, fence }: Held[number]) => {
    // A heartbeat that does not get through is no loss: whoever takes over leaves a higher number.
    const other = await place.renew(fence).catch(() => undefined);
    if (other) lost.abort(fail('LOCK_LOST', { cluster, owner: other.owner, where: place.name }));
  };
  const renew = async () => void (await Promise.all(held.map(beat)));
  const timer = setInterval(() => void renew(), heartbeatMs).unref();
  return {
    fence,
    lost: lost.signal,
    renew,
    check: () => lost.signal.throwIfAborted(),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await release();
    },
  };
}

/** "ada@desk" */
export const ownName = () => `${userInfo().username}@${hostname()}`;

const whoWeAre = ({ what, run }: LockOptions): Holder => ({
  owner: ownName(),
  machine: thisMachine(),
  pid: process.pid,
  what,
  run,
  since: new Date().toISOString(),
});

/** Known to be gone: its process was one of this machine. */
export function isDead({ machine, pid }: Holder): boolean {
  if (machine !== thisMachine() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Names are not unique and process ids count per container: a pid means something only within the same boot and name space. */
function thisMachine(): string {
  const read = (act: () => string) => {
    try {
      return act().trim();
    } catch {
      return '';
    }
  };
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  return [hostname(), boot, read(() => readlinkSync('/proc/self/ns/pid'))].join(' ');
}
