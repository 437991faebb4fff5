import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ARCHES, type Arch } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';
import { fieldOf, numberOf, textOf } from '../../util/json-fields.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import { readJson, writeJson } from '../cache/json-file.ts';
import { digestHex, parseManifest, type Descriptor } from './manifest.ts';

/** An image in the cache. */
export interface StoredImage {
  /** Image reference, such as "registry.k8s.io/pause:3.10.1". */
  readonly ref: string;
  /** Digest of the index or manifest that the reference resolves to. */
  readonly digest: string;
  /** Origin of the digest. */
  readonly from: string;
  readonly manifests: readonly (Descriptor & { readonly arch: Arch })[];
}

const recordPath = ({ folder }: ArtifactCache, ref: string) =>
  join(folder, 'images', `${createHash('sha256').update(ref).digest('hex')}.json`);

export const writeImageRecord = (cache: ArtifactCache, { ref, digest, from, manifests }: StoredImage): Promise<void> =>
  writeJson(recordPath(cache, ref), { ref, digest, from, manifests: manifests.map((one) => ({ ...one })) });

/** Reads the record of an image. The image content may be missing from the cache. */
export async function readImageRecord(cache: ArtifactCache, ref: string): Promise<StoredImage | undefined> {
  const json = await readJson(recordPath(cache, ref));
  const list = fieldOf(json, 'manifests');
  if (textOf(json, 'ref') !== ref || !Array.isArray(list)) return undefined;
  const manifests = list.flatMap((one: Json) => {
    const arch = ARCHES.find((each) => each === textOf(one, 'arch'));
    const [mediaType, digest, size] = [textOf(one, 'mediaType'), textOf(one, 'digest'), numberOf(one, 'size')];
    return arch === undefined ? [] : [{ mediaType, digest, size, arch }];
  });
  return { ref, digest: textOf(json, 'digest'), from: textOf(json, 'from'), manifests };
}

/** An image whose content is complete in the cache. */
export interface CachedImage {
  readonly image: StoredImage;
  readonly blobs: readonly Blob[];
}

/**
 * Finds an image and all its blobs for these architectures. Returns undefined if anything is missing from the cache.
 */
export async function findImage(
  cache: ArtifactCache,
  ref: string,
  arches: readonly Arch[],
): Promise<CachedImage | undefined> {
  const record = await readImageRecord(cache, ref);
  const manifests = record?.manifests.filter(({ arch }) => arches.includes(arch)) ?? [];
  if (!record || manifests.length < arches.length) return undefined;
  const found = await Promise.all(manifests.map(({ digest }) => contentOf(cache, digest)));
  const blobs = found.flat();
  const isComplete = blobs.every((blob) => blob !== undefined);
  return isComplete
    ? { image: { ...record, manifests }, blobs: blobs.filter((blob) => blob !== undefined) }
    : undefined;
}

/** Returns the blobs of an image: manifest, config and layers. */
async function contentOf(cache: ArtifactCache, digest: string): Promise<readonly (Blob | undefined)[]> {
  const blob = await cache.find(digestHex(digest));
  if (!blob) return [undefined];
  const manifest = parseManifest(await readFile(blob.path, 'utf8'));
  if (manifest?.type !== 'image') return [undefined];
  const parts = [manifest.config, ...manifest.layers];
  return [blob, ...(await Promise.all(parts.map((part) => cache.find(digestHex(part.digest)))))];
}

/** Adds text to the cache as a blob. */
export async function storeText(cache: ArtifactCache, text: string): Promise<Blob> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const existing = await cache.find(sha256);
  if (existing) return existing;
  const path = join(cache.folder, `${sha256}.${process.pid}.tmp`);
  await writeFile(path, text, { mode: 0o600 });
  return cache.add(path, { sha256, size: Buffer.byteLength(text) });
}
