import { fail } from '../../common/errors/errors.ts';

/** A line of a file of sums. */
export interface SumLine {
  readonly sha256: string;
  /** Empty where the file has the sum alone. */
  readonly name: string;
}

/** Reads "hex", "hex  name", "hex *name" and "SHA256 (name) = hex"; other lines, such as those of other sums, are left out. */
export function parseSums(text: string): readonly SumLine[] {
  return text.split('\n').flatMap((line) => {
    const [, hex, name] = /^\s*([0-9a-f]{64})(?:\s+\*?(.*?))?\s*$/i.exec(line) ?? [];
    if (hex !== undefined) return [{ sha256: hex.toLowerCase(), name: (name ?? '').replace(/^\.\//, '') }];
    const [, tagged, value] = /^SHA256 \((.+)\) = ([0-9a-f]{64})\s*$/i.exec(line) ?? [];
    return tagged === undefined || value === undefined ? [] : [{ sha256: value.toLowerCase(), name: tagged }];
  });
}

/** The sum of a file in what its publisher tells about it and others; a sum alone is for the one file it stands beside. */
export function publishedSum(lines: readonly SumLine[], url: string): string | undefined {
  const file = baseName(url);
  const named = lines.find(({ name }) => baseName(name) === file);
  return (named ?? (lines.length === 1 && lines[0]?.name === '' ? lines[0] : undefined))?.sha256;
}

/** The sum of a URL in a file of the user's: the line that names most of its host and path counts. */
export function listedSum(lines: readonly SumLine[], url: string, file: string): string | undefined {
  const place = `/${decodeURIComponent(url.replace(/^https?:\/\//, ''))}`;
  const fitting = lines
    .filter(({ name }) => name !== '' && place.endsWith(`/${name.replace(/^\/+/, '')}`))
    .toSorted((a, b) => b.name.length - a.name.length);
  const best = fitting.filter(({ name }) => name.length === fitting[0]?.name.length);
  const sums = new Set(best.map(({ sha256 }) => sha256));
  if (sums.size > 1) throw fail('CHECKSUMS_AMBIGUOUS', { file, name: best[0]!.name, url });
  return best[0]?.sha256;
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
