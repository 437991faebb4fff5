import { unescapeOctal } from '../../../util/text.ts';

/** A line of /etc/fstab. */
export interface FstabEntry {
  readonly source: string;
  readonly path: string;
  readonly type: string;
  readonly options: string;
}

/** The entry of a mount point. */
export function entryIn(fstab: string, path: string): FstabEntry | undefined {
  return fstab
    .split('\n')
    .map(parse)
    .find((entry) => entry?.path === path);
}

/** Replaces the entry for the same mount point, or appends it. */
export function withEntry(fstab: string, entry: FstabEntry): string {
  const lines = fstab === '' ? [] : fstab.replace(/\n$/, '').split('\n');
  const index = lines.findIndex((line) => parse(line)?.path === entry.path);
  const fields = [entry.source, entry.path, entry.type, entry.options].map(escape);
  const line = `${fields.join(' ')} 0 0`;
  return `${(index < 0 ? [...lines, line] : lines.with(index, line)).join('\n')}\n`;
}

/** Comments out swap entries so that `withSwap` can restore them. */
export const withoutSwap = (fstab: string): string =>
  fstab
    .split('\n')
    .map((line) => (parse(line)?.type === 'swap' ? `${SWAP_OFF}${line}` : line))
    .join('\n');

/** Restores the entries that `withoutSwap` commented out. */
export const withSwap = (fstab: string): string =>
  fstab
    .split('\n')
    .map((line) => (line.startsWith(SWAP_OFF) ? line.slice(SWAP_OFF.length) : line))
    .join('\n');

const SWAP_OFF = '# off by kubexm: ';

function parse(line: string): FstabEntry | undefined {
  const [source, path, type, options = 'defaults'] = line.trim().split(/\s+/).map(unescapeOctal);
  if (source === undefined || source.startsWith('#') || path === undefined || type === undefined) return undefined;
  return { source, path, type, options };
}

// fstab fields encode a space as \040.
const escape = (field: string) =>
  field.replaceAll(/[\s\\]/g, (char) => `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`);
