import { readFile } from 'node:fs/promises';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { withCacheLock, type Blob } from '../cache/cache.ts';
import { fetchContent, type TransferContext } from '../download/fetch-content.ts';
import type { ImageItem } from '../item.ts';
import { MANIFEST_TYPES, configArch, digestHex, parseManifest, type Descriptor, type Manifest } from './manifest.ts';
import { imageSources, parseReference } from './reference.ts';
import type { Puller } from './registry.ts';
import { resolveTag } from './resolve-tag.ts';
import { findExpectedImage, knownDigest } from './expected-digest.ts';
import { writeImageRecord, type StoredImage } from './image-store.ts';

/** Pulls an image for its architectures into the cache if it is missing. Verifies every blob by its digest. */
export async function pullImage(puller: Puller, image: ImageItem, ctx: TransferContext): Promise<StoredImage> {
  const { cache, http } = puller.downloader;
  const cached = await findExpectedImage(puller.downloader, image);
  if (cached) return cached.image;
  if (http.offline) throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
  const { digest, from } = (await knownDigest(puller.downloader, image)) ?? (await resolveTag(puller, image, ctx));
  const manifests = await pullManifests(puller, image, digest, ctx);
  const parts = new Map<string, Descriptor>();
  for (const { config, layers } of manifests) for (const part of [config, ...layers]) parts.set(part.digest, part);
  await forEachParallel([...parts.values()], PARALLEL_BLOBS, (part) =>
    pullBlob(puller, image, part.digest, 'blobs', ctx),
  );
  await checkPlatforms(puller, image, manifests);
  const descriptors = manifests.map(({ mediaType, digest, size, arch }) => ({ mediaType, digest, size, arch }));
  const stored = { ref: image.ref, digest, from, manifests: descriptors };
  await writeImageRecord(cache, stored);
  return stored;
}

const PARALLEL_BLOBS = 3;

type PlatformManifest = Descriptor & { readonly arch: Arch } & Omit<Extract<Manifest, { type: 'image' }>, 'type'>;

/** Pulls the manifest of each architecture. */
async function pullManifests(
  puller: Puller,
  image: ImageItem,
  digest: string,
  ctx: TransferContext,
): Promise<readonly PlatformManifest[]> {
  const top = await pullManifest(puller, image, digest, ctx);
  if (top.manifest.type === 'image') {
    const { config, layers } = top.manifest;
    return image.arches.map((arch) => ({ ...top.descriptor, arch, config, layers }));
  }
  const { manifests } = top.manifest;
  const published = manifests.map(({ arch }) => arch);
  return Promise.all(
    image.arches.map(async (arch) => {
      const found = manifests.find((one) => one.os === 'linux' && one.arch === arch);
      if (!found) throw platformMissing(image, arch, published);
      const { manifest, descriptor } = await pullManifest(puller, image, found.digest, ctx);
      if (manifest.type !== 'image') throw platformMissing(image, arch, []);
      return { ...descriptor, arch, config: manifest.config, layers: manifest.layers };
    }),
  );
}

const platformMissing = ({ ref }: ImageItem, arch: Arch, published: readonly string[]) =>
  fail('IMAGE_PLATFORM_MISSING', {
    image: ref,
    arch,
    available: [...new Set(published)].filter(Boolean).join(', ') || 'none',
  });

async function pullManifest(puller: Puller, image: ImageItem, digest: string, ctx: TransferContext) {
  const blob = await pullBlob(puller, image, digest, 'manifests', ctx);
  const text = await readFile(blob.path, 'utf8');
  const manifest = parseManifest(text);
  if (!manifest) throw fail('ARTIFACT_UNAVAILABLE', { item: image.ref, tried: `${digest}: not an image manifest` });
  const mediaType = mediaTypeOf(text, manifest);
  return { manifest, descriptor: { mediaType, digest, size: blob.size } };
}

/** Returns the media type, which is optional in OCI manifests. */
const mediaTypeOf = (text: string, { type }: Manifest): string =>
  /"mediaType"\s*:\s*"(application\/vnd\.[^"]*(?:manifest|index)[^"]*)"/.exec(text.slice(0, 400))?.[1] ??
  `application/vnd.oci.image.${type === 'index' ? 'index' : 'manifest'}.v1+json`;

function pullBlob(
  { downloader, registries }: Puller,
  { ref }: ImageItem,
  digest: string,
  kind: 'blobs' | 'manifests',
  ctx: TransferContext,
): Promise<Blob> {
  const sha256 = digestHex(digest);
  const fetchBlob = async () => {
    const cached = await downloader.cache.find(sha256);
    if (cached) return cached;
    const sources = imageSources(parseReference(ref), downloader).map(({ registry: host, repository, publisher }) => {
      const registry = registries.get(host);
      return {
        url: registry.url(`/v2/${repository}/${kind}/${digest}`),
        host,
        isPublisher: publisher,
        http: registry.http,
        headers: kind === 'manifests' ? { accept: MANIFEST_TYPES } : {},
      };
    });
    const request = {
      title: `${ref} ${sha256.slice(0, 12)}`,
      key: `blob-${sha256}`,
      sources,
      checksum: { sha256, from: 'image digest' },
      format: undefined,
      arch: undefined,
    };
    return (await fetchContent(downloader, request, ctx)).blob;
  };
  return withCacheLock(downloader.cache, digest, fetchBlob, ctx);
}

/** Checks the architecture of a manifest outside an index, which specifies it only in the image config. */
async function checkPlatforms(
  { downloader }: Puller,
  image: ImageItem,
  manifests: readonly PlatformManifest[],
): Promise<void> {
  for (const { arch, config } of manifests) {
    const blob = await downloader.cache.find(digestHex(config.digest));
    const actual = blob ? configArch(await readFile(blob.path, 'utf8')) : '';
    if (actual !== '' && actual !== arch) throw platformMissing(image, arch, [actual]);
  }
}
