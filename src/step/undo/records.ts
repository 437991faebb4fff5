import { basename, dirname, join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { identityHash, originIn, type Origin } from '../contract/origin.ts';
import type { StepContext } from '../contract/part.ts';
import { FORMER_RECORDS } from './former-records.ts';

/** A record of an original state on a host. */
export interface KeptRecord {
  /** Undefined for an unknown record. */
  readonly key: string | undefined;
  readonly origin: Origin;
}

/** The records of a step on a host, in the order in which they are undone, including records that were deleted. */
export async function recordsOf(ctx: StepContext, step: string): Promise<readonly KeptRecord[]> {
  const folder = join(ctx.originDir, step);
  const { stdout } = await ctx.runner.query(list(folder));
  const rows = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([name = '', key = '', position = '', path = '']) => ({ name, key, position, path }));
  const former = formerRecords(
    ctx,
    step,
    rows.flatMap(({ path }) => path || []),
  );
  return rows
    .map(({ name, key, position }) => {
      const known = key === '' ? former.get(name) : { key, position: Number(position) };
      return { key: known?.key, position: known?.position ?? 0, origin: originIn(join(folder, name)) };
    })
    .toSorted((one, other) => other.position - one.position)
    .map(({ key, origin }) => ({ key, origin }));
}

/** Prints a line per record: name, key, position and, for records from before keys existed, the directory. */
const list = (folder: string) => sh`cd ${folder} 2>/dev/null || exit 0
first() { [ ! -e "$1" ] || head -n 1 -- "$1"; }
for record in * ; do
  case $record in
    *.new) ;;
    *.key) name=$(basename -- "$record" .key); [ -e "$name/before.json" ] || printf '%s\t%s\t0\t\n' "$name" "$(first "$record")" ;;
    *) [ ! -e "$record/before.json" ] || printf '%s\t%s\t%s\t%s\n' "$record" "$(first "$record/key")" "$(first "$record/position")" "$(first "$record/place")" ;;
  esac
done`;

/** Before keys existed, folders were named after the hash of a text. Maps these hashes to keys. */
function formerRecords({ host, originDir }: StepContext, step: string, paths: readonly string[]) {
  const cluster = basename(dirname(originDir));
  const fill = (text: string, path: string) =>
    text.replaceAll('{host}', host.name).replaceAll('{cluster}', cluster).replaceAll('{path}', path);
  const rows = (FORMER_RECORDS[step] ?? []).flatMap(([text, key], position) =>
    (text.includes('{path}') ? paths : ['']).map(
      (path) => [identityHash(fill(text, path)), { key: fill(key, path), position }] as const,
    ),
  );
  return new Map(rows);
}
