import { fileTitle } from '../item.ts';
import { SBOM, type BundleIndex } from './bundle-index.ts';

/** Every sum that the files, images and packages of an index name, with what people call it. */
export function namesOf(index: BundleIndex): ReadonlyMap<string, string> {
  const bills = index.content.filter(({ path }) => path === SBOM);
  return new Map([
    ...bills.map(({ sha256 }) => [sha256, 'its bill of materials'] as const),
    ...index.systems.flatMap(({ id, packages }) =>
      packages.map(({ sha256, name, version }) => [sha256, `${name} ${version} of ${id}`] as const),
    ),
    ...index.images.flatMap(({ ref, blobs }) => blobs.map((sha256) => [sha256, ref] as const)),
    ...index.files.map((file) => [file.sha256, fileTitle(file)] as const),
  ]);
}

/** What an index promises and does not list, or lists twice. */
export function indexProblems(index: BundleIndex): readonly string[] {
  const listed = [...index.content, ...index.elsewhere].map(({ sha256 }) => sha256);
  const known = new Set(listed);
  const twice = index.content.map(({ path }) => path).filter((path, at, all) => all.indexOf(path) !== at);
  return [
    ...[...namesOf(index)]
      .filter(([sha256]) => !known.has(sha256))
      .map(([, name]) => `${name}: the index has no file for it`),
    ...twice.map((path) => `${path}: the index has it twice`),
  ];
}
