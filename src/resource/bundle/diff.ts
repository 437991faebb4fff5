import { parseReference } from '../oci/reference.ts';
import { isBlob, type BundleIndex } from './bundle-index.ts';

/** One thing that two bundles do not have in common. */
export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  readonly type: 'file' | 'image' | 'package';
  readonly name: string;
  readonly arch: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/** What one of them has. */
export interface Version {
  readonly version: string;
  readonly size: number;
}

/** What is different, and how much whoever has the first one is to be given for the second. */
export interface BundleDiff {
  readonly differences: readonly Difference[];
  readonly delta: { readonly files: number; readonly bytes: number };
}

/** What changed from one bundle to the other. */
export function diffBundles(a: BundleIndex, b: BundleIndex): BundleDiff {
  const [before, after] = [thingsOf(a), thingsOf(b)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const differences = keys.flatMap((key): readonly Difference[] => {
    const [was, is] = [before.get(key), after.get(key)];
    const one = is ?? was;
    if (!one || was?.content === is?.content) return [];
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    const { type, name, arch } = one;
    return [{ change, type, name, arch, before: versionOf(was), after: versionOf(is) }];
  });
  const there = contentOf(a);
  const fresh = [...contentOf(b)].filter(([sha256]) => !there.has(sha256)).map(([, size]) => size);
  return { differences, delta: { files: fresh.length, bytes: fresh.reduce((all, size) => all + size, 0) } };
}

interface Thing extends Version {
  readonly type: Difference['type'];
  readonly name: string;
  readonly arch: string;
  /** Changes with its content. */
  readonly content: string;
}

const versionOf = (thing: Thing | undefined): Version | undefined =>
  thing && { version: thing.version, size: thing.size };

/** A bundle has two versions of an image, as of pause, under one name each. */
function thingsOf(index: BundleIndex): ReadonlyMap<string, Thing> {
  const sizes = contentOf(index);
  const tags = new Map<string, number>();
  const repositories = index.images
    .map(({ ref }) => parseReference(ref))
    .map(({ registry, repository }) => `${registry}/${repository}`);
  for (const name of repositories) tags.set(name, (tags.get(name) ?? 0) + 1);
  const images = index.images.map(({ ref, manifests, blobs }, at): Thing => {
    const name = repositories[at] ?? ref;
    const version = parseReference(ref).tag;
    const size = blobs.reduce((all, blob) => all + (sizes.get(blob) ?? 0), 0);
    const arch = manifests.map((one) => one.arch).join(',');
    return { type: 'image', name: tags.get(name) === 1 ? name : ref, arch, version, size, content: blobs.join() };
  });
  const files = index.files.map(({ name, version, arch = 'any', size, sha256 }): Thing => ({
    type: 'file',
    name,
    arch,
    version,
    size,
    content: `${version} ${sha256}`,
  }));
  const packages = index.systems.flatMap(({ id, arch, packages: all }) =>
    all.map(({ name, version, size, sha256 }): Thing => ({
      type: 'package',
      name: `${id}/${name}`,
      arch,
      version,
      size,
      content: sha256,
    })),
  );
  return new Map(
    [...files, ...images, ...packages].map((one) => [
      `${one.type} ${one.name} ${one.type === 'image' ? '' : one.arch}`,
      one,
    ]),
  );
}

const contentOf = (index: BundleIndex): ReadonlyMap<string, number> =>
  new Map([...index.content, ...index.elsewhere].filter(isBlob).map(({ sha256, size }) => [sha256, size]));
