import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, constants, link, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { kubexmHome } from '../../common/home.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withLock } from '../../util/lock.ts';
import { numberOf } from '../../util/json-fields.ts';
import { hashFile, type Hashed } from './hash.ts';
import { readJson, writeJson } from './json-file.ts';

/** A file of the cache: its content is what its sum says. */
export interface Blob {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
}

/** Downloads of all clusters on this machine, by their content. */
export interface ArtifactCache {
  readonly folder: string;
  /** The content with this sum, if it is whole. Hashes only what changed since it was last looked at. */
  find(sha256: string): Promise<Blob | undefined>;
  /** Takes a file over that was checked to have this content. */
  admit(file: string, content: Hashed): Promise<Blob>;
  /** Sets a file aside that is not what it should be; resolves with where. */
  quarantine(file: string, why: string): Promise<string>;
  /** Puts a blob at a path: as the same file where that is possible, as a copy elsewhere. */
  link(blob: Blob, path: string): Promise<void>;
  /** True when the blob is at the path, unaltered. */
  isAt(blob: Blob, path: string): Promise<boolean>;
}

/** ~/.kubexm/cache */
export const defaultCacheFolder = () => join(kubexmHome(), 'cache');

export function openCache(folder = defaultCacheFolder()): ArtifactCache {
  const pathOf = (sha256: string) => join(folder, 'sha256', sha256.slice(0, 2), sha256);
  const find = async (sha256: string): Promise<Blob | undefined> => {
    const path = pathOf(sha256);
    const found = await statOf(path);
    if (!found) return undefined;
    const record = await readJson(`${path}.json`);
    const known = numberOf(record, 'size') === found.size && numberOf(record, 'mtimeMs') === found.mtimeMs;
    if (!known) {
      const hashed = await hashFile(path);
      if (hashed.sha256 !== sha256) return void (await quarantine(path, `its sum is ${hashed.sha256}`));
      await remember(path);
    }
    return { sha256, size: found.size, path };
  };
  const quarantine = async (file: string, why: string) => {
    const aside = join(
      folder,
      'quarantine',
      `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${digest(file + why)}`,
    );
    await ensureFolder(dirname(aside), 0o700);
    await rename(file, aside);
    await writeJson(`${aside}.json`, { file, why });
    await keepLatest(dirname(aside));
    return aside;
  };
  const isAt = async (blob: Blob, path: string) => {
    const [here, there] = await Promise.all([statOf(blob.path), statOf(path)]);
    return here !== undefined && there !== undefined && here.size === there.size && here.mtimeMs === there.mtimeMs;
  };
  return Object.freeze({
    folder,
    find,
    quarantine,
    isAt,
    admit: async (file: string, { sha256, size }: Hashed) => {
      const path = pathOf(sha256);
      await ensureFolder(dirname(path), 0o700);
      await chmod(file, 0o400);
      // What is there stays: others have links to it.
      if (!(await find(sha256)) && (await placed(file, path))) await remember(path);
      await rm(file, { force: true });
      return { sha256, size, path };
    },
    link: async (blob: Blob, path: string) => {
      if (await isAt(blob, path)) return;
      await ensureFolder(dirname(path), 0o700);
      const beside = `${path}.${process.pid}.${randomBytes(3).toString('hex')}.new`;
      await linkOrCopy(blob.path, beside);
      await rename(beside, path);
      // Renaming a link over a link to the same file leaves both.
      await rm(beside, { force: true });
    },
  });
}

/** Names begin with their time; each file has a note beside it. */
async function keepLatest(folder: string): Promise<void> {
  const old = (await readdir(folder)).sort().slice(0, -2 * ASIDE_AT_MOST);
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
}

const ASIDE_AT_MOST = 5;

/** False when somebody else was first. */
async function placed(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rename(file, path);
  }
  return true;
}

/** What a file looks like when its sum is right: looking at this is cheaper than hashing gigabytes each time. */
async function remember(path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  await writeJson(`${path}.json`, { size, mtimeMs });
}

/** Another file system, or one without links, gets a copy with the same time. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    const { atime, mtime } = await stat(from);
    await utimes(to, atime, mtime);
  }
}

/** Does an act for something of a cache that no other kubexm on this computer does at the same time. */
export async function aloneWith<T>(
  { folder }: ArtifactCache,
  thing: string,
  act: () => Promise<T>,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<T> {
  const name = createHash('sha256').update(`${folder}\0${thing}`).digest('hex').slice(0, 32);
  let told = false;
  const onWait = () => {
    if (!told) say(`another kubexm fetches ${thing}; waiting for it`);
    told = true;
  };
  return withLock(`cache-${name}`, act, { signal, onWait });
}

const statOf = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
