import { link, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { GONE, parseHolder, type LockRequest, type Holder, type LockStore, type LockAnswer } from './lock-store.ts';

/**
 * Creates a lock in a local folder, with one file per fencing token. Files are created with link(2), so that each token
 * is issued only once.
 */
export function localLockStore(folder: string): LockStore {
  const path = (fence: number) => join(folder, String(fence));
  const fences = async () => {
    await ensureFolder(folder, 0o700);
    return (await readdir(folder))
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  };
  const take = async (request: LockRequest): Promise<LockAnswer> => {
    const last = (await fences()).at(-1) ?? 0;
    const holder = await readHolder(path(last));
    if (holder && last !== request.over && (await ageOf(path(last))) < request.staleMs)
      return { type: 'held', fence: last, holder };
    const fence = Math.max(last + 1, request.atLeast);
    if (!(await put(path(fence), JSON.stringify(request.holder)))) return take(request);
    const all = await fences();
    if (all.at(-1) !== fence) {
      await rm(path(fence), { force: true });
      return take(request);
    }
    await Promise.all(all.filter((each) => each < fence).map((each) => rm(path(each), { force: true })));
    return { type: 'taken', fence };
  };
  return Object.freeze({
    name: 'this machine',
    reach: () => Promise.resolve(),
    take,
    renew: async (fence: number) => {
      const last = (await fences()).at(-1) ?? 0;
      if (last > fence) return (await readHolder(path(last))) ?? GONE;
      const now = new Date();
      await utimes(path(fence), now, now);
      return undefined;
    },
    // Empties the file instead of removing it, because the next holder must get a higher fencing token.
    release: (fence: number) => truncate(path(fence)).catch(() => {}),
  });
}

/** Creates the file of a fencing token. Returns false if another process was first. */
async function put(path: string, text: string): Promise<boolean> {
  const beside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
  try {
    await writeFile(beside, text, { mode: 0o600 });
    await link(beside, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  } finally {
    await rm(beside, { force: true });
  }
}

/** Returns the holder of the lock in a folder if its heartbeat is recent. Does not change anything. */
export async function lockHolder(folder: string, staleMs = 30_000): Promise<Holder | undefined> {
  const names = await readdir(folder).catch(() => []);
  const last = Math.max(...names.filter((name) => /^\d+$/.test(name)).map(Number));
  const path = join(folder, String(last));
  return (await ageOf(path)) < staleMs ? readHolder(path) : undefined;
}

const readHolder = async (path: string) => parseHolder(await readFile(path, 'utf8').catch(() => ''));

const ageOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Infinity,
  );
