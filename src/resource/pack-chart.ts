import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ensureFolder } from '../util/ensure-folder.ts';
import { tarOf, withFolders, type TarEntry } from '../util/tar.ts';

/** A chart as one file: itself where it is packed, else its folder as an archive at `target`, the same for the same files. */
export async function packedChart(path: string, name: string, target: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const entries = files
    .filter((file) => file.isFile())
    .map((file): TarEntry => {
      const from = join(file.parentPath, file.name);
      return { type: 'file', path: [name, ...relative(path, from).split(sep)].join('/'), from, mode: 0o644 };
    });
  await ensureFolder(dirname(target), 0o700);
  await pipeline(tarOf(withFolders(entries)), createGzip(), createWriteStream(target, { mode: 0o600 }));
  return target;
}
