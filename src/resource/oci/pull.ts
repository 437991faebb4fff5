import { readFile } from 'node:fs/promises';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { aloneWith, type Blob } from '../cache/cache.ts';
import { listedSum } from '../download/checksum-file.ts';
import type { Depot } from '../download/downloader.ts';
import { fetchContent, type Watch } from '../download/fetch-content.ts';
import type { ImageItem } from '../item.ts';
import { ACCEPTED, configArch, hexOf, parseManifest, type Descriptor, type Manifest } from './manifest.ts';
import { imageSources, parseReference } from './reference.ts';
import type { Registries } from './registry.ts';
import { askDigest } from './resolve-tag.ts';
import { findImage, recallImage, storeImage, type StoredImage } from './image-store.ts';

/** What pulling works with. */
export interface Puller {
  readonly depot: Depot;
  readonly registries: Registries;
}

/** Brings an image into the cache for its architectures, unless it is there; every byte is checked by its digest. */
export async function pullImage(puller: Puller, image: ImageItem, watch: Watch): Promise<StoredImage> {
  const { cache, http } = puller.depot;
  const there = await findImage(cache, image.ref, image.arches);
  if (there && (image.sha256 === undefined || there.image.digest === `sha256:${image.sha256}`)) return there.image;
  if (http.offline) throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
  const { digest, from } = await digestOf(puller, image, watch);
  const manifests = await manifestsOf(puller, image, digest, watch);
  const parts = new Map<string, Descriptor>();
  for (const { config, layers } of manifests) for (const part of [config, ...layers]) parts.set(part.digest, part);
  await forEachParallel([...parts.values()], LAYERS_AT_ONCE, (part) =>
    pullBlob(puller, image, part.digest, 'blobs', watch),
  );
  await checkPlatforms(puller, image, manifests);
  const kept = manifests.map(({ mediaType, digest, size, arch }) => ({ mediaType, digest, size, arch }));
  const stored = { ref: image.ref, digest, from, manifests: kept };
  await storeImage(cache, stored);
  return stored;
}

const LAYERS_AT_ONCE = 3;

/** The cluster file, the user's file of sums, what was remembered, the publisher, or at last a mirror. */
async function digestOf(puller: Puller, { ref, sha256 }: ImageItem, watch: Watch) {
  const { cache, checksums } = puller.depot;
  const { digest: named } = parseReference(ref);
  if (sha256 !== undefined) return { digest: `sha256:${sha256}`, from: 'override' };
  if (named !== undefined) return { digest: named, from: 'its name' };
  const listed = listedSum(checksums.lines, `https://${ref}`, checksums.file);
  if (listed !== undefined) return { digest: `sha256:${listed}`, from: checksums.file };
  const known = await recallImage(cache, ref);
  return known ?? askDigest(puller, ref, watch);
}

type PlatformManifest = Descriptor & { readonly arch: Arch } & Omit<Extract<Manifest, { type: 'image' }>, 'type'>;

/** The manifest of each architecture. */
async function manifestsOf(
  puller: Puller,
  image: ImageItem,
  digest: string,
  watch: Watch,
): Promise<readonly PlatformManifest[]> {
  const top = await pullManifest(puller, image, digest, watch);
  if (top.manifest.type === 'image') {
    const { config, layers } = top.manifest;
    return image.arches.map((arch) => ({ ...top.descriptor, arch, config, layers }));
  }
  const { manifests } = top.manifest;
  return Promise.all(
    image.arches.map(async (arch) => {
      const found = manifests.find((one) => one.os === 'linux' && one.arch === arch);
      if (!found)
        throw missing(
          image,
          arch,
          manifests.map((one) => one.arch),
        );
      const { manifest, descriptor } = await pullManifest(puller, image, found.digest, watch);
      if (manifest.type !== 'image') throw missing(image, arch, []);
      return { ...descriptor, arch, config: manifest.config, layers: manifest.layers };
    }),
  );
}

const missing = ({ ref }: ImageItem, arch: Arch, there: readonly string[]) =>
  fail('IMAGE_PLATFORM_MISSING', { image: ref, arch, there: [...new Set(there)].filter(Boolean).join(', ') || 'none' });

async function pullManifest(puller: Puller, image: ImageItem, digest: string, watch: Watch) {
  const blob = await pullBlob(puller, image, digest, 'manifests', watch);
  const text = await readFile(blob.path, 'utf8');
  const manifest = parseManifest(text);
  if (!manifest) throw fail('ARTIFACT_UNAVAILABLE', { item: image.ref, tried: `${digest} is no manifest of an image` });
  const mediaType = mediaTypeOf(text, manifest);
  return { manifest, descriptor: { mediaType, digest, size: blob.size } };
}

/** Manifests of OCI need not say what they are. */
const mediaTypeOf = (text: string, { type }: Manifest): string =>
  /"mediaType"\s*:\s*"(application\/vnd\.[^"]*(?:manifest|index)[^"]*)"/.exec(text.slice(0, 400))?.[1] ??
  `application/vnd.oci.image.${type === 'index' ? 'index' : 'manifest'}.v1+json`;

function pullBlob(
  { depot, registries }: Puller,
  { ref }: ImageItem,
  digest: string,
  kind: 'blobs' | 'manifests',
  watch: Watch,
): Promise<Blob> {
  const sha256 = hexOf(digest);
  const title = `${ref} ${sha256.slice(0, 12)}`;
  return aloneWith(
    depot.cache,
    digest,
    async () => {
      const there = await depot.cache.find(sha256);
      if (there) return there;
      const sources = imageSources(parseReference(ref), depot).map(({ registry, repository, publisher }) => {
        const open = registries.get(registry);
        const place = open.url(`/v2/${repository}/${kind}/${digest}`);
        return {
          url: place,
          site: registry,
          publisher,
          http: open.http,
          headers: kind === 'manifests' ? { accept: ACCEPTED } : {},
        };
      });
      const sum = { sha256, from: 'its digest' };
      const wanted = { title, key: `blob-${sha256}`, sources, sum, content: undefined, arch: undefined };
      return (await fetchContent(depot, wanted, watch)).blob;
    },
    watch,
  );
}

/** A name that stands for one manifest says its architecture in its config only. */
async function checkPlatforms(
  { depot }: Puller,
  image: ImageItem,
  manifests: readonly PlatformManifest[],
): Promise<void> {
  for (const { arch, config } of manifests) {
    const blob = await depot.cache.find(hexOf(config.digest));
    const told = blob ? configArch(await readFile(blob.path, 'utf8')) : '';
    if (told !== '' && told !== arch) throw missing(image, arch, [told]);
  }
}
