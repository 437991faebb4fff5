import { link, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { GONE, parseHolder, type Ask, type Holder, type LockPlace, type Taken } from './lock-store.ts';

/** A lock in a folder of this machine: one file for each number, linked into place, so that a number is given out once. */
export function localPlace(folder: string): LockPlace {
  const path = (fence: number) => join(folder, String(fence));
  const fences = async () => {
    await ensureFolder(folder, 0o700);
    return (await readdir(folder))
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  };
  const take = async (ask: Ask): Promise<Taken> => {
    const last = (await fences()).at(-1) ?? 0;
    const holder = await readHolder(path(last));
    if (holder && last !== ask.over && (await ageOf(path(last))) < ask.staleMs)
      return { type: 'held', fence: last, holder };
    const fence = Math.max(last + 1, ask.atLeast);
    if (!(await put(path(fence), JSON.stringify(ask.holder)))) return take(ask);
    const all = await fences();
    if (all.at(-1) !== fence) {
      await rm(path(fence), { force: true });
      return take(ask);
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
    // Emptied, not removed: the next one has to get a higher number.
    release: (fence: number) => truncate(path(fence)).catch(() => {}),
  });
}

/** False when somebody else was first. */
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

/** Who holds the lock in a folder and gave a sign of life; nothing is taken or written. */
export async function holderIn(folder: string, staleMs = 30_000): Promise<Holder | undefined> {
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
