import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { indexText, OCI_INDEX, type Descriptor } from './manifest.ts';
import { findImage, storeText, type StoredImage } from './image-store.ts';

/** Writes cached images as an OCI image layout. Blobs are hard links to the cache. */
export async function writeLayout(
  cache: ArtifactCache,
  images: readonly { readonly ref: string; readonly arches: readonly Arch[] }[],
  folder: string,
): Promise<void> {
  const blobs = join(folder, 'blobs', 'sha256');
  await ensureFolder(blobs, 0o700);
  const entries = [];
  for (const { ref, arches } of images) {
    const found = await findImage(cache, ref, arches);
    if (!found) throw fail('OFFLINE_MISSING', { item: ref, url: ref });
    const top = await topDescriptor(cache, found.image);
    for (const blob of [...found.blobs, ...top.blobs]) await cache.link(blob, join(blobs, blob.sha256));
    const annotations = { 'org.opencontainers.image.ref.name': ref, 'io.containerd.image.name': ref };
    entries.push({ ...top.descriptor, annotations });
  }
  const index = { schemaVersion: 2, mediaType: OCI_INDEX, manifests: entries };
  await writeFileAtomically(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}', 0o600);
  await writeFileAtomically(join(folder, 'index.json'), JSON.stringify(index), 0o600);
}

/** Returns the descriptor of an image: its only manifest, or an index of the cached manifests. */
export async function topDescriptor(cache: ArtifactCache, { manifests }: StoredImage) {
  const [first, ...others] = manifests;
  if (first && others.length === 0) {
    const { mediaType, digest, size } = first;
    const descriptor: Descriptor = { mediaType, digest, size };
    return { descriptor, blobs: [] };
  }
  const blob = await storeText(cache, indexText(manifests));
  const descriptor: Descriptor = { mediaType: OCI_INDEX, digest: `sha256:${blob.sha256}`, size: blob.size };
  return { descriptor, blobs: [blob] };
}

/** Returns the digest of an image: the digest of its only manifest, or of an index of the given manifests. */
export function topDigest(manifests: StoredImage['manifests']): string {
  const [first, ...others] = manifests;
  if (first && others.length === 0) return first.digest;
  return `sha256:${createHash('sha256').update(indexText(manifests)).digest('hex')}`;
}
