import { stat } from 'node:fs/promises';
import { join, normalize } from 'node:path/posix';
import type { MirrorPaths } from '../paths.ts';
import type { Found } from './send.ts';

/** The file that a path HOST/PATH means. */
export async function findFile(paths: MirrorPaths, url: URL): Promise<Found> {
  const name = nameOf(url);
  // Only hosts have a dot before the first slash: records and sums of the mirror itself are nobody's download.
  if (name === undefined || !/^[\w-]+(\.[\w-]+)+\/./.test(name)) return NOT_FOUND;
  const path = join(paths.folder, name);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return NOT_FOUND;
  return { type: 'file', name, path, size: found.size, modified: found.mtimeMs, headers: {} };
}

function nameOf(url: URL): string | undefined {
  try {
    const name = normalize(decodeURIComponent(url.pathname)).replace(/^\/+/, '');
    return name.includes('\0') ? undefined : name;
  } catch {
    return undefined;
  }
}

const NOT_FOUND: Found = { type: 'json', status: 404, body: { error: 'this mirror has no such file' } };
