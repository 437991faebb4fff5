import type { Arch } from '../../common/host.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { topDigest } from './layout.ts';
import type { Registries } from './registry.ts';
import { remoteDigest } from './remote-digest.ts';
import { findImage } from './image-store.ts';

/** Whether a registry has an image under a name: by its digest where that is known, else by the name alone. */
export async function hasImage(
  { cache, registries }: { readonly cache: ArtifactCache; readonly registries: Registries },
  { ref, arches, digest }: { readonly ref: string; readonly arches: readonly Arch[]; readonly digest?: string },
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [there, here] = await Promise.all([remoteDigest(registries, target, signal), findImage(cache, ref, arches)]);
  const wanted = digest ?? (here && topDigest(here.image.manifests));
  return there !== undefined && (wanted === undefined || there === wanted);
}
