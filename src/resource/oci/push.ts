import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Arch } from '../../common/host.ts';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { Watch } from '../download/fetch-content.ts';
import { topOf } from './layout.ts';
import { hexOf, parseManifest } from './manifest.ts';
import { parseReference, referenceText, type Reference } from './reference.ts';
import type { Registry } from './registry.ts';
import { findImage } from './image-store.ts';
import { accepted, uploadBlob, type Pusher } from './upload-blob.ts';

/** Puts an image of the cache into a registry under a name there. */
export async function pushImage(
  pusher: Pusher,
  image: { readonly ref: string; readonly arches: readonly Arch[] },
  target: string,
  watch: Watch,
): Promise<void> {
  const found = await findImage(pusher.cache, image.ref, image.arches);
  if (!found) throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
  const reference = parseReference(target);
  const registry = pusher.registries.get(reference.registry);
  for (const { digest, mediaType } of found.image.manifests) {
    const blob = await blobOf(pusher.cache, digest, image.ref);
    const manifest = parseManifest(await readFile(blob.path, 'utf8'));
    const parts = manifest?.type === 'image' ? [manifest.config, ...manifest.layers] : [];
    for (const part of parts) {
      const content = await blobOf(pusher.cache, part.digest, image.ref);
      await persistently(reference, watch, () => uploadBlob({ pusher, registry, reference, watch }, content));
    }
    await persistently(reference, watch, () =>
      putManifest(registry, reference, { blob, mediaType, name: digest }, watch),
    );
  }
  const top = await topOf(pusher.cache, found.image);
  const blob = await blobOf(pusher.cache, top.descriptor.digest, image.ref);
  const { mediaType } = top.descriptor;
  await persistently(reference, watch, () =>
    putManifest(registry, reference, { blob, mediaType, name: reference.tag }, watch),
  );
  watch.say(`${referenceText(reference)} is pushed`);
}

async function blobOf(cache: ArtifactCache, digest: string, ref: string): Promise<Blob> {
  const blob = await cache.find(hexOf(digest));
  if (!blob) throw fail('OFFLINE_MISSING', { item: ref, url: digest });
  return blob;
}

async function putManifest(
  registry: Registry,
  reference: Reference,
  { blob, mediaType, name }: { readonly blob: Blob; readonly mediaType: string; readonly name: string },
  { signal }: Watch,
): Promise<void> {
  const item = referenceText(reference);
  const answer = await registry.http.request(registry.url(`/v2/${reference.repository}/manifests/${name}`), {
    item,
    method: 'PUT',
    headers: { 'content-type': mediaType },
    body: await readFile(blob.path),
    signal,
  });
  await accepted(answer, item, [201, 200]);
}

/** A registry may be busy, and a connection may break: a blob or manifest is then sent again as a whole. */
async function persistently(reference: Reference, { signal, say }: Watch, act: () => Promise<void>): Promise<void> {
  const image = referenceText(reference);
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted) throw fail('INTERRUPTED', {}, error);
      if (error instanceof KubexmError && error.code !== 'PUSH_FAILED') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (tries === TRIES) throw error instanceof KubexmError ? error : fail('PUSH_FAILED', { image, reason }, error);
      say(`${image}: ${reason}`);
      await pause(500 * 2 ** tries, undefined, { signal }).catch(() => {});
    }
  }
}

const TRIES = 4;
