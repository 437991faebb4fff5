import type { Arch } from '../../common/host.ts';
import type { Blob } from '../cache/cache.ts';
import type { FileItem } from '../item.ts';
import type { StoredImage } from '../oci/image-store.ts';
import {
  blobPath,
  indexText,
  SBOM,
  sha256Hex,
  type BundleContent,
  type BundleIndex,
  type SystemPackages,
} from './bundle-index.ts';
import { sbomText } from './sbom.ts';

/** The cluster of a bundle, and the base of a delta bundle. */
export interface BundleInfo {
  readonly cluster: string;
  readonly kubernetes: string;
  readonly arches: readonly Arch[];
  readonly notes: readonly string[];
  /** Index of the base bundle, which the recipient already has. */
  readonly base: BundleIndex | undefined;
}

/** The cached content to include in a bundle. */
export interface BundleParts {
  readonly files: readonly { readonly item: FileItem; readonly blob: Blob; readonly own: boolean }[];
  readonly images: readonly {
    readonly image: StoredImage;
    readonly blobs: readonly Blob[];
  }[];
  readonly systems: readonly SystemPackages[];
}

/** Index and SBOM of a bundle that has not been written yet. */
export interface ComposedBundle {
  readonly index: BundleIndex;
  readonly sbom: string;
}

/** Composes a bundle. The same parts always produce the same bundle. */
export function composeBundle(info: BundleInfo, parts: BundleParts): ComposedBundle {
  const { cluster, kubernetes, arches, notes, base } = info;
  const files = sorted(parts.files.map(fileEntry), ({ name, arch, url }) => `${name} ${arch ?? ''} ${url}`);
  const images = sorted(parts.images.map(imageEntry), ({ ref }) => ref);
  const systems = sorted(
    parts.systems.map((one) => ({ ...one, packages: sorted(one.packages, ({ name }) => name) })),
    ({ id, arch }) => `${id} ${arch}`,
  );
  const materials = { cluster, kubernetes, files, images, systems };
  const sbom = sbomText(materials, sha256Hex(JSON.stringify(materials)));
  const sbomContent: BundleContent = { path: SBOM, sha256: sha256Hex(sbom), size: Buffer.byteLength(sbom) };
  const inBase = new Set([...(base?.content ?? []), ...(base?.elsewhere ?? [])].map(({ sha256 }) => sha256));
  const needed = blobContents(parts, systems);
  const index: BundleIndex = {
    format: 1,
    cluster,
    kubernetes,
    arches: [...arches].sort(),
    ...(base && {
      base: { index: sha256Hex(indexText(base)), cluster: base.cluster, kubernetes: base.kubernetes },
    }),
    files,
    images,
    systems,
    notes: [...notes],
    content: [sbomContent, ...needed.filter(({ sha256 }) => !inBase.has(sha256))],
    elsewhere: needed.filter(({ sha256 }) => inBase.has(sha256)),
  };
  return { index, sbom };
}

/** Returns the distinct blobs of the parts, sorted by path. */
function blobContents(parts: BundleParts, systems: readonly SystemPackages[]): readonly BundleContent[] {
  const blobs = [
    ...parts.files.map(({ blob }) => blob),
    ...parts.images.flatMap((image) => image.blobs),
    ...systems.flatMap((system) => system.packages),
  ];
  const bySha256 = new Map(blobs.map(({ sha256, size }) => [sha256, { path: blobPath(sha256), sha256, size }]));
  return sorted([...bySha256.values()], ({ path }) => path);
}

const fileEntry = ({ item, blob, own }: BundleParts['files'][number]): BundleIndex['files'][number] => ({
  name: item.name,
  version: item.version,
  ...(item.arch !== undefined && { arch: item.arch }),
  url: item.url,
  sha256: blob.sha256,
  size: blob.size,
  ...(own && { own }),
});

const imageEntry = ({ image, blobs }: BundleParts['images'][number]): BundleIndex['images'][number] => ({
  ref: image.ref,
  digest: image.digest,
  manifests: image.manifests.map(({ mediaType, digest, size, arch }) => ({ mediaType, digest, size, arch })),
  blobs: [...new Set(blobs.map(({ sha256 }) => sha256))].sort(),
});

/** Sorts by code units, because the order must not depend on the locale. */
const sorted = <T>(all: readonly T[], key: (one: T) => string): T[] =>
  all
    .map((one) => ({ one, by: key(one) }))
    .sort((a, b) => (a.by < b.by ? -1 : a.by > b.by ? 1 : 0))
    .map(({ one }) => one);
