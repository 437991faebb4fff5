import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, constants, link, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { kubexmHome } from '../../common/home.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withLock } from '../../util/process-lock.ts';
import { numberOf } from '../../util/json-fields.ts';
import { hashFile, type FileHash } from './hash.ts';
import { readJson, writeJson } from './json-file.ts';

/** A file in the cache whose content matches its checksum. */
export interface Blob {
  readonly sha256: string;
  readonly size: number;
  readonly path: string;
}

/** Content-addressed store for all downloads on this machine, shared by all clusters. */
export interface ArtifactCache {
  readonly folder: string;
  /**
   * Returns the blob with this checksum, or undefined if it is missing or corrupt. Hashes a file only if it changed
   * since the last check.
   */
  find(sha256: string): Promise<Blob | undefined>;
  /** Moves a file into the cache. The caller must have verified its checksum. */
  add(file: string, content: FileHash): Promise<Blob>;
  /** Moves an invalid file to the quarantine folder and returns its new path. */
  quarantine(file: string, reason: string): Promise<string>;
  /** Creates a hard link to a blob, or a copy if a link is not possible. */
  link(blob: Blob, path: string): Promise<void>;
  /** Returns whether the file at the path is the unmodified blob. */
  isAt(blob: Blob, path: string): Promise<boolean>;
}

/** Returns the cache folder, ~/.kubexm/cache. */
export const defaultCacheFolder = () => join(kubexmHome(), 'cache');

export function openCache(folder = defaultCacheFolder()): ArtifactCache {
  return Object.freeze<ArtifactCache>({
    folder,
    find: (sha256) => findBlob(folder, sha256),
    add: (file, content) => addBlob(folder, file, content),
    quarantine: (file, reason) => quarantine(folder, file, reason),
    link: linkBlob,
    isAt,
  });
}

const blobPath = (folder: string, sha256: string) => join(folder, 'sha256', sha256.slice(0, 2), sha256);

async function findBlob(folder: string, sha256: string): Promise<Blob | undefined> {
  const path = blobPath(folder, sha256);
  const found = await statOf(path);
  if (!found) return undefined;
  const record = await readJson(`${path}.json`);
  const isVerified = numberOf(record, 'size') === found.size && numberOf(record, 'mtimeMs') === found.mtimeMs;
  if (!isVerified) {
    const hash = await hashFile(path);
    if (hash.sha256 !== sha256) return void (await quarantine(folder, path, `its checksum is ${hash.sha256}`));
    await recordVerified(path);
  }
  return { sha256, size: found.size, path };
}

async function addBlob(folder: string, file: string, { sha256, size }: FileHash): Promise<Blob> {
  const path = blobPath(folder, sha256);
  await ensureFolder(dirname(path), 0o700);
  await chmod(file, 0o400);
  // Keeps an existing blob, because other paths are hard links to it.
  if (!(await findBlob(folder, sha256)) && (await moveUnlessExists(file, path))) await recordVerified(path);
  await rm(file, { force: true });
  return { sha256, size, path };
}

async function quarantine(folder: string, file: string, why: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(folder, 'quarantine', `${time}-${shortDigest(file + why)}`);
  await ensureFolder(dirname(path), 0o700);
  await rename(file, path);
  await writeJson(`${path}.json`, { file, why });
  await removeOldest(dirname(path));
  return path;
}

async function linkBlob(blob: Blob, path: string): Promise<void> {
  if (await isAt(blob, path)) return;
  await ensureFolder(dirname(path), 0o700);
  const temporary = `${path}.${process.pid}.${randomBytes(3).toString('hex')}.new`;
  await linkOrCopy(blob.path, temporary);
  await rename(temporary, path);
  // rename(2) does nothing if both names are links to the same file.
  await rm(temporary, { force: true });
}

async function isAt(blob: Blob, path: string): Promise<boolean> {
  const [cached, found] = await Promise.all([statOf(blob.path), statOf(path)]);
  return cached !== undefined && found !== undefined && cached.size === found.size && cached.mtimeMs === found.mtimeMs;
}

/**
 * Deletes all but the newest quarantined files. Each name starts with the time, and each file has a record in the same
 * folder.
 */
async function removeOldest(folder: string): Promise<void> {
  const old = (await readdir(folder)).sort().slice(0, -2 * MAX_QUARANTINED);
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
}

const MAX_QUARANTINED = 5;

/** Moves a file to a path. Returns false if another process created the path first. */
async function moveUnlessExists(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rename(file, path);
  }
  return true;
}

/** Records the size and mtime of a verified file, so that it is hashed again only after a change. */
async function recordVerified(path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  await writeJson(`${path}.json`, { size, mtimeMs });
}

/** Creates a hard link, or a copy with the same mtime if the file system does not support the link. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    const { atime, mtime } = await stat(from);
    await utimes(to, atime, mtime);
  }
}

/** Runs an action on a cache item while no other kubexm process on this machine uses the same item. */
export async function withCacheLock<T>(
  { folder }: ArtifactCache,
  item: string,
  action: () => Promise<T>,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<T> {
  const name = createHash('sha256').update(`${folder}\0${item}`).digest('hex').slice(0, 32);
  const onWait = (holder: string) => say(`waiting for ${holder}, which is working on ${item}`);
  return withLock(`cache-${name}`, action, { signal, onWait });
}

const statOf = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
