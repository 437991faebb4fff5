import { stat } from 'node:fs/promises';
import { join, normalize } from 'node:path/posix';
import type { MirrorPaths } from '../paths.ts';
import type { MirrorResponse } from './send.ts';

/** Finds the published file for a request path HOST/PATH. */
export async function findFile(paths: MirrorPaths, url: URL): Promise<MirrorResponse> {
  const name = nameOf(url);
  // Only host names have a dot before the first slash: this hides the records and checksums of the mirror itself.
  if (name === undefined || !/^[\w-]+(\.[\w-]+)+\/./.test(name)) return NOT_FOUND;
  const path = join(paths.folder, name);
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return NOT_FOUND;
  return { type: 'file', name, path, size: stats.size, modified: stats.mtimeMs, headers: {} };
}

function nameOf(url: URL): string | undefined {
  try {
    const name = normalize(decodeURIComponent(url.pathname)).replace(/^\/+/, '');
    return name.includes('\0') ? undefined : name;
  } catch {
    return undefined;
  }
}

const NOT_FOUND: MirrorResponse = { type: 'json', status: 404, body: { error: 'file not found in this mirror' } };
