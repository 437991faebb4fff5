import { unescapeOctal } from '../../../util/text.ts';

/** A line of /etc/fstab. */
export interface FstabEntry {
  readonly source: string;
  readonly path: string;
  readonly type: string;
  readonly options: string;
}

/** The entry of a mount point; comments and other lines are not looked at. */
export function entryIn(fstab: string, path: string): FstabEntry | undefined {
  return fstab
    .split('\n')
    .map(parse)
    .find((entry) => entry?.path === path);
}

/** The text with this entry in the place of that for the same mount point, or at the end. */
export function withEntry(fstab: string, entry: FstabEntry): string {
  const lines = fstab === '' ? [] : fstab.replace(/\n$/, '').split('\n');
  const place = lines.findIndex((line) => parse(line)?.path === entry.path);
  const fields = [entry.source, entry.path, entry.type, entry.options].map(escape);
  const line = `${fields.join(' ')} 0 0`;
  return `${(place < 0 ? [...lines, line] : lines.with(place, line)).join('\n')}\n`;
}

/** The text with the lines of swap as comments that `withSwap` knows. */
export const withoutSwap = (fstab: string): string =>
  fstab
    .split('\n')
    .map((line) => (parse(line)?.type === 'swap' ? `${SWAP_OFF}${line}` : line))
    .join('\n');

/** Makes lines again of what `withoutSwap` made comments. */
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

// In the fields of fstab a space is written \040.
const escape = (field: string) =>
  field.replaceAll(/[\s\\]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`);
