import type { Arch } from '../../common/host.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { topOf } from './layout.ts';
import type { Registries } from './registry.ts';
import { remoteDigest } from './remote-digest.ts';
import { findImage } from './store.ts';

/** Whether a registry has an image under a name: by its digest where we have the image, else by the name alone. */
export async function hasImage(
  { cache, registries }: { readonly cache: ArtifactCache; readonly registries: Registries },
  { ref, arches }: { readonly ref: string; readonly arches: readonly Arch[] },
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [digest, here] = await Promise.all([remoteDigest(registries, target, signal), findImage(cache, ref, arches)]);
  if (digest === undefined || here === undefined) return digest !== undefined;
  return digest === (await topOf(cache, here.image)).descriptor.digest;
}
