import { unescapeOctal } from '../../util/text.ts';
import type { Mount } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Combines /proc/self/mounts with `df -P -B1` and `df -P -i`. Skips pseudo file systems, which have no size. */
export function mountsIn(mounts: string, space: string, inodes: string): readonly Mount[] {
  const spaceOf = dfRows(space);
  const inodesOf = dfRows(inodes);
  const unit = /1024-blocks|1K-blocks/.test(space) ? 1024 : 1;
  const found = new Map<string, Mount>();
  for (const [, mountPoint = '', type = '', options = ''] of rowsOf(mounts)) {
    const path = unescapeOctal(mountPoint);
    const size = spaceOf.get(path);
    if (!size?.total) continue;
    // A later mount at the same path hides the earlier one.
    found.set(path, {
      path,
      type,
      options: options.split(','),
      sizeBytes: size.total * unit,
      freeBytes: size.free * unit,
      inodes: inodesOf.get(path)?.total ?? 0,
      freeInodes: inodesOf.get(path)?.free ?? 0,
    });
  }
  return [...found.values()];
}

/** Parses `df -P`. Returns rows by mount point, which may contain spaces. */
function dfRows(text: string): ReadonlyMap<string, { readonly total: number; readonly free: number }> {
  const rows = [...text.matchAll(/^\S.*?\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(?:\d+%|-)\s+(\/.*)$/gm)];
  return new Map(
    rows.map(([, total, , free, path = '']) => [path, { total: Number(total) || 0, free: Number(free) || 0 }]),
  );
}
