import { fail } from '../../common/errors/errors.ts';

/** One line of a checksum file. */
export interface ChecksumLine {
  readonly sha256: string;
  /** File name; empty if the line has only a checksum. */
  readonly name: string;
}

/**
 * Parses lines of the form "hex", "hex  name", "hex *name" and "SHA256 (name) = hex". Skips other lines, such as
 * SHA-512 checksums.
 */
export function parseChecksums(text: string): readonly ChecksumLine[] {
  return text.split('\n').flatMap((line) => {
    const [, hex, name] = /^\s*([0-9a-f]{64})(?:\s+\*?(.*?))?\s*$/i.exec(line) ?? [];
    if (hex !== undefined) return [{ sha256: hex.toLowerCase(), name: (name ?? '').replace(/^\.\//, '') }];
    const [, tagged, value] = /^SHA256 \((.+)\) = ([0-9a-f]{64})\s*$/i.exec(line) ?? [];
    return tagged === undefined || value === undefined ? [] : [{ sha256: value.toLowerCase(), name: tagged }];
  });
}

/** Finds the checksum of a file in its publisher's checksum file. A single line without a name applies to any file. */
export function publishedChecksum(lines: readonly ChecksumLine[], url: string): string | undefined {
  const file = baseName(url);
  const named = lines.find(({ name }) => baseName(name) === file);
  return (named ?? (lines.length === 1 && lines[0]?.name === '' ? lines[0] : undefined))?.sha256;
}

/** Finds the checksum of a URL in the user's checksum file. The longest matching path suffix wins. */
export function listedChecksum(lines: readonly ChecksumLine[], url: string, file: string): string | undefined {
  const path = `/${decodeURIComponent(url.replace(/^https?:\/\//, ''))}`;
  const matching = lines
    .filter(({ name }) => name !== '' && path.endsWith(`/${name.replace(/^\/+/, '')}`))
    .toSorted((a, b) => b.name.length - a.name.length);
  const best = matching.filter(({ name }) => name.length === matching[0]?.name.length);
  const checksums = new Set(best.map(({ sha256 }) => sha256));
  if (checksums.size > 1) throw fail('CHECKSUMS_AMBIGUOUS', { file, name: best[0]!.name, url });
  return best[0]?.sha256;
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
