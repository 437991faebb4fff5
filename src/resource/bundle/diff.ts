import { parseReference } from '../oci/reference.ts';
import { isBlob, type BundleIndex } from './bundle-index.ts';

/** A file, image or package that differs between two bundles. */
export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  readonly type: 'file' | 'image' | 'package';
  readonly name: string;
  readonly arch: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/** Version and size in one of the bundles. */
export interface Version {
  readonly version: string;
  readonly size: number;
}

/** The differences, and the size of a delta bundle from the first bundle to the second. */
export interface BundleDiff {
  readonly differences: readonly Difference[];
  readonly delta: { readonly files: number; readonly bytes: number };
}

export function diffBundles(a: BundleIndex, b: BundleIndex): BundleDiff {
  const [before, after] = [entriesByKey(a), entriesByKey(b)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  const differences = keys.flatMap((key): readonly Difference[] => {
    const [old, current] = [before.get(key), after.get(key)];
    const entry = current ?? old;
    if (!entry || old?.content === current?.content) return [];
    const change = old === undefined ? 'added' : current === undefined ? 'removed' : 'changed';
    const { type, name, arch } = entry;
    return [{ change, type, name, arch, before: versionOf(old), after: versionOf(current) }];
  });
  const known = blobSizes(a);
  const added = [...blobSizes(b)].filter(([sha256]) => !known.has(sha256)).map(([, size]) => size);
  return { differences, delta: { files: added.length, bytes: added.reduce((all, size) => all + size, 0) } };
}

interface BundleEntry extends Version {
  readonly type: Difference['type'];
  readonly name: string;
  readonly arch: string;
  /** Identifies the content; different content has a different value. */
  readonly content: string;
}

const versionOf = (entry: BundleEntry | undefined): Version | undefined =>
  entry && { version: entry.version, size: entry.size };

function entriesByKey(index: BundleIndex): ReadonlyMap<string, BundleEntry> {
  const entries = [...fileEntries(index), ...imageEntries(index), ...packageEntries(index)];
  return new Map(
    entries.map((one) => [`${one.type} ${one.name} ${one.type === 'image' ? '' : one.arch}`, one] as const),
  );
}

const fileEntries = ({ files }: BundleIndex) =>
  files.map(({ name, version, arch = 'any', size, sha256 }): BundleEntry => ({
    type: 'file',
    name,
    arch,
    version,
    size,
    content: `${version} ${sha256}`,
  }));

/** Matches images by repository, or by reference if a bundle contains several tags of one repository. */
function imageEntries(index: BundleIndex): readonly BundleEntry[] {
  const sizes = blobSizes(index);
  const tagCount = new Map<string, number>();
  const repositories = index.images
    .map(({ ref }) => parseReference(ref))
    .map(({ registry, repository }) => `${registry}/${repository}`);
  for (const name of repositories) tagCount.set(name, (tagCount.get(name) ?? 0) + 1);
  return index.images.map(({ ref, manifests, blobs }, at) => {
    const repository = repositories[at] ?? ref;
    return {
      type: 'image',
      name: tagCount.get(repository) === 1 ? repository : ref,
      arch: manifests.map((one) => one.arch).join(','),
      version: parseReference(ref).tag,
      size: blobs.reduce((all, blob) => all + (sizes.get(blob) ?? 0), 0),
      content: blobs.join(),
    };
  });
}

const packageEntries = ({ systems }: BundleIndex) =>
  systems.flatMap(({ id, arch, packages }) =>
    packages.map(({ name, version, size, sha256 }): BundleEntry => ({
      type: 'package',
      name: `${id}/${name}`,
      arch,
      version,
      size,
      content: sha256,
    })),
  );

const blobSizes = (index: BundleIndex): ReadonlyMap<string, number> =>
  new Map([...index.content, ...index.elsewhere].filter(isBlob).map(({ sha256, size }) => [sha256, size]));
