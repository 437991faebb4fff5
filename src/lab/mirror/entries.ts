import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PieceEntry } from './component.ts';
import type { TarEntry } from '../../util/tar.ts';

/** Converts piece entries to tar entries. If two entries have the same path, the later one wins. */
export async function tarEntries(entries: readonly PieceEntry[], pieces: string): Promise<readonly TarEntry[]> {
  const byPath = new Map<string, TarEntry>();
  for (const entry of entries) {
    for (const tarEntry of await expand(entry, pieces)) byPath.set(tarEntry.path, tarEntry);
  }
  return [...byPath.values()];
}

async function expand(entry: PieceEntry, pieces: string): Promise<readonly TarEntry[]> {
  switch (entry.type) {
    case 'piece':
      return [{ type: 'file', path: entry.path, from: join(pieces, entry.piece), mode: entry.mode }];
    case 'all':
      return walk(pieces);
    case 'tree':
      return (await walk(join(pieces, entry.piece))).map((below) => {
        const path = join(entry.path, below.path);
        return below.type === 'file' ? { ...below, path, mode: entry.mode } : { ...below, path };
      });
    case 'text':
    case 'folder':
    case 'link':
      return [entry];
  }
}

async function walk(folder: string): Promise<readonly TarEntry[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Promise.all(paths.map((path) => entryAt(path, relative(folder, path))));
}

async function entryAt(from: string, path: string): Promise<TarEntry> {
  const stats = await lstat(from);
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { type: 'folder', path, mode };
  if (stats.isSymbolicLink()) return { type: 'link', path, to: await readlink(from) };
  return { type: 'file', path, from, mode };
}
