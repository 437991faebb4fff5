import { fileTitle } from '../item.ts';
import type { TarFile } from '../../util/read-tar.ts';
import { SBOM, type BundleContent, type BundleIndex } from './bundle-index.ts';

/** Returns the display names of all content in a bundle, by checksum. */
export function contentTitles(index: BundleIndex): ReadonlyMap<string, string> {
  const sboms = index.content.filter(({ path }) => path === SBOM);
  return new Map([
    ...sboms.map(({ sha256 }) => [sha256, 'bill of materials'] as const),
    ...index.systems.flatMap(({ id, packages }) =>
      packages.map(({ sha256, name, version }) => [sha256, `${name} ${version} for ${id}`] as const),
    ),
    ...index.images.flatMap(({ ref, blobs }) => blobs.map((sha256) => [sha256, ref] as const)),
    ...index.files.map((file) => [file.sha256, fileTitle(file)] as const),
  ]);
}

/** Returns contradictions within an index: content that the index refers to but does not list, or lists twice. */
export function indexProblems(index: BundleIndex): readonly string[] {
  const listed = [...index.content, ...index.elsewhere].map(({ sha256 }) => sha256);
  const known = new Set(listed);
  const twice = index.content.map(({ path }) => path).filter((path, at, all) => all.indexOf(path) !== at);
  return [
    ...[...contentTitles(index)]
      .filter(([sha256]) => !known.has(sha256))
      .map(([, name]) => `${name}: missing from the content list of the index`),
    ...twice.map((path) => `${path}: listed twice in the index`),
  ];
}

/** Checks the header of a file in the archive against the index. Returns the problem, or undefined if there is none. */
export function entryProblem(
  { path, size }: Pick<TarFile, 'path' | 'size'>,
  expected: BundleContent | undefined,
  titles: ReadonlyMap<string, string>,
): string | undefined {
  if (!expected) return `${path}: not in the index, or a duplicate`;
  if (size === expected.size) return undefined;
  return `${path} (${titles.get(expected.sha256) ?? ''}): size is ${size} bytes, expected ${expected.size}`;
}
