import { unescapeOctal } from '../../util/text.ts';
import type { Mount } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Joins /proc/self/mounts with what `df -P -B1` and `df -P -i` say; pseudo file systems, which have no room, are left out. */
export function mountsIn(mounts: string, space: string, inodes: string): readonly Mount[] {
  const spaceOf = dfRows(space);
  const inodesOf = dfRows(inodes);
  const unit = /1024-blocks|1K-blocks/.test(space) ? 1024 : 1;
  const found = new Map<string, Mount>();
  for (const [, at = '', type = '', options = ''] of rowsOf(mounts)) {
    const path = unescapeOctal(at);
    const room = spaceOf.get(path);
    if (!room?.all) continue;
    // A later mount at the same path hides the earlier one.
    found.set(path, {
      path,
      type,
      options: options.split(','),
      sizeBytes: room.all * unit,
      freeBytes: room.free * unit,
      inodes: inodesOf.get(path)?.all ?? 0,
      freeInodes: inodesOf.get(path)?.free ?? 0,
    });
  }
  return [...found.values()];
}

/** The columns of `df -P`, by mount point, which may have spaces. */
function dfRows(text: string): ReadonlyMap<string, { readonly all: number; readonly free: number }> {
  const rows = [...text.matchAll(/^\S.*?\s+(\d+|-)\s+(\d+|-)\s+(\d+|-)\s+(?:\d+%|-)\s+(\/.*)$/gm)];
  return new Map(rows.map(([, all, , free, path = '']) => [path, { all: Number(all) || 0, free: Number(free) || 0 }]));
}
