import { link, open, readdir, readFile, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../common/errors/errors.ts';
import { kubexmHome } from '../common/home.ts';
import { ensureFolder } from './ensure-folder.ts';
import { hasExited, startOf, thisMachine, userAtHost } from './process-identity.ts';

/** Options for waiting for a lock. */
export interface LockOptions {
  /** Called when another process holds the lock, with its user and PID: "ada@desk, process 4711". */
  readonly onWait?: (holder: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Runs `act` while holding a named lock that all kubexm processes of this user share. */
export const withLock = <T>(name: string, act: () => Promise<T>, options: LockOptions = {}): Promise<T> =>
  holding(join(kubexmHome(), 'locks'), name, act, options);

/**
 * Runs `act` while holding a lock for something that exists once on this machine, such as a network. As root, it does not
 * depend on KUBEXM_HOME; other users can have no effect on each other.
 */
export const withMachineLock = <T>(name: string, act: () => Promise<T>, options: LockOptions = {}): Promise<T> =>
  process.getuid?.() === 0 ? holding(MACHINE_FOLDER, name, act, options) : withLock(name, act, options);

/** Only root can create it: in a folder that all users can write to, one could block the others. */
const MACHINE_FOLDER = '/run/kubexm-locks';

async function holding<T>(folder: string, name: string, act: () => Promise<T>, options: LockOptions): Promise<T> {
  await ensureFolder(folder, 0o700);
  const path = await take(folder, encodeURIComponent(name), options);
  const heartbeat = setInterval(() => void touch(path), HEARTBEAT_MS).unref();
  try {
    return await act();
  } finally {
    clearInterval(heartbeat);
    // Emptied, not removed: numbers must never be issued twice.
    await truncate(path).catch(() => {});
  }
}

const HEARTBEAT_MS = 5_000;
const RETRY_MS = 200;

/**
 * The file with the highest number holds the lock until it is empty or its process has exited. The next number is issued
 * to one process only, because link(2) does not replace files. So a stale lock is never removed by two processes at once.
 */
async function take(folder: string, name: string, { onWait, signal }: LockOptions): Promise<string> {
  for (let reported = ''; ;) {
    const numbers = await numbersOf(folder, name);
    const last = numbers.at(-1) ?? 0;
    const holder = await holderOf(pathOf(folder, name, last));
    if (holder === undefined) {
      const path = pathOf(folder, name, last + 1);
      if (await claim(path)) {
        const others = (await numbersOf(folder, name)).filter((number) => number !== last + 1);
        if (Math.max(0, ...others) <= last) {
          await Promise.all(others.map((number) => rm(pathOf(folder, name, number), { force: true })));
          return path;
        }
        // Others took and released the lock since the folder was read.
        await rm(path, { force: true });
      }
      continue;
    }
    if (holder !== reported) onWait?.((reported = holder));
    if (signal?.aborted) throw fail('INTERRUPTED', {});
    await sleep(RETRY_MS);
  }
}

const pathOf = (folder: string, name: string, number: number) => join(folder, `${name}.${number}`);

async function numbersOf(folder: string, name: string): Promise<readonly number[]> {
  const prefix = `${name}.`;
  return (await readdir(folder))
    .filter((each) => each.startsWith(prefix) && /^\d+$/.test(each.slice(prefix.length)))
    .map((each) => Number(each.slice(prefix.length)))
    .sort((one, other) => one - other);
}

/** False if another process was first. */
async function claim(path: string): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(JSON.stringify(self()));
    await link(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

interface Holder {
  readonly owner: string;
  readonly machine: string;
  readonly pid: number;
  readonly start: string;
}

const self = (): Holder => ({
  owner: userAtHost(),
  machine: thisMachine(),
  pid: process.pid,
  start: startOf(process.pid),
});

/** Who holds the lock; undefined if it is free. */
async function holderOf(path: string): Promise<string | undefined> {
  const holder = parse(await readFile(path, 'utf8').catch(() => ''));
  if (holder === undefined) return undefined;
  const { owner, machine, pid, start } = holder;
  const isFree =
    machine === thisMachine() ? hasExited(machine, pid) || startOf(pid) !== start : (await ageOf(path)) > STALE_MS;
  return isFree ? undefined : `${owner}, process ${pid}`;
}

/** In another container or on another machine that shares the folder, only the heartbeat shows that the holder is alive. */
const STALE_MS = 30_000;

function parse(text: string): Holder | undefined {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ageOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Infinity,
  );

const touch = (path: string) => utimes(path, new Date(), new Date()).catch(() => {});
