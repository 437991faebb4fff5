import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arch } from '../../common/host.ts';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import { topDescriptor } from './layout.ts';
import { digestHex, parseManifest } from './manifest.ts';
import { parseReference, referenceText, type Reference } from './reference.ts';
import type { Registry } from './registry.ts';
import { findImage } from './image-store.ts';
import { expectStatus, uploadBlob, type Pusher } from './upload-blob.ts';

/** Pushes a cached image to a registry under another name. */
export async function pushImage(
  pusher: Pusher,
  image: { readonly ref: string; readonly arches: readonly Arch[] },
  target: string,
  ctx: TransferContext,
): Promise<void> {
  const found = await findImage(pusher.cache, image.ref, image.arches);
  if (!found) throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
  const reference = parseReference(target);
  const registry = pusher.registries.get(reference.registry);
  const push = (manifest: ManifestUpload) =>
    withRetries(reference, ctx, () => putManifest(registry, reference, manifest, ctx));
  for (const { digest, mediaType } of found.image.manifests) {
    const blob = await blobOf(pusher.cache, digest, image.ref);
    const manifest = parseManifest(await readFile(blob.path, 'utf8'));
    const parts = manifest?.type === 'image' ? [manifest.config, ...manifest.layers] : [];
    for (const part of parts) {
      const content = await blobOf(pusher.cache, part.digest, image.ref);
      await withRetries(reference, ctx, () => uploadBlob({ pusher, registry, reference, ctx }, content));
    }
    await push({ blob, mediaType, name: digest });
  }
  const { descriptor } = await topDescriptor(pusher.cache, found.image);
  const blob = await blobOf(pusher.cache, descriptor.digest, image.ref);
  await push({ blob, mediaType: descriptor.mediaType, name: reference.tag });
  ctx.say(`pushed ${referenceText(reference)}`);
}

async function blobOf(cache: ArtifactCache, digest: string, ref: string): Promise<Blob> {
  const blob = await cache.find(digestHex(digest));
  if (!blob) throw fail('OFFLINE_MISSING', { item: ref, url: digest });
  return blob;
}

interface ManifestUpload {
  readonly blob: Blob;
  readonly mediaType: string;
  /** Tag or digest. */
  readonly name: string;
}

async function putManifest(
  registry: Registry,
  reference: Reference,
  { blob, mediaType, name }: ManifestUpload,
  { signal }: TransferContext,
): Promise<void> {
  const item = referenceText(reference);
  const response = await registry.http.request(registry.url(`/v2/${reference.repository}/manifests/${name}`), {
    item,
    method: 'PUT',
    headers: { 'content-type': mediaType },
    body: await readFile(blob.path),
    signal,
  });
  await expectStatus(response, item, [201, 200]);
}

/** Restarts an upload if the registry is busy or the connection breaks. */
async function withRetries(
  reference: Reference,
  { signal, say }: TransferContext,
  upload: () => Promise<void>,
): Promise<void> {
  const image = referenceText(reference);
  for (let attempt = 1; ; attempt++) {
    try {
      return await upload();
    } catch (error) {
      if (signal.aborted) throw fail('INTERRUPTED', {}, error);
      if (error instanceof KubexmError && error.code !== 'PUSH_FAILED') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (attempt === MAX_ATTEMPTS)
        throw error instanceof KubexmError ? error : fail('PUSH_FAILED', { image, reason }, error);
      say(`${image}: ${reason}`);
      await pause(500 * 2 ** attempt, undefined, { signal }).catch(() => {});
    }
  }
}

const MAX_ATTEMPTS = 4;
