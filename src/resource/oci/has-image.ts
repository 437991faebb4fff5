import { createHash } from 'node:crypto';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { findImage } from './image-store.ts';
import { topDigest } from './layout.ts';
import { MANIFEST_TYPES } from './manifest.ts';
import { parseReference } from './reference.ts';
import type { Registries } from './registry.ts';

/** Returns whether a registry has an image under a name. Compares digests if the digest of the image is known. */
export async function hasImage(
  { cache, registries }: { readonly cache: ArtifactCache; readonly registries: Registries },
  { ref, arches, digest }: { readonly ref: string; readonly arches: readonly Arch[]; readonly digest?: string },
  target: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [remote, cached] = await Promise.all([remoteDigest(registries, target, signal), findImage(cache, ref, arches)]);
  const expected = digest ?? (cached && topDigest(cached.image.manifests));
  return remote !== undefined && (expected === undefined || remote === expected);
}

/** Returns the digest for a name in a registry, or undefined if the name does not exist. */
async function remoteDigest(registries: Registries, name: string, signal: AbortSignal): Promise<string | undefined> {
  const { registry: host, repository, tag } = parseReference(name);
  const registry = registries.get(host);
  const request = (method: 'HEAD' | 'GET') =>
    registry.http.request(registry.url(`/v2/${repository}/manifests/${tag}`), {
      item: name,
      method,
      headers: { accept: MANIFEST_TYPES },
      signal,
    });
  const response = await request('HEAD');
  await response.discard();
  if (response.status === 404) return undefined;
  if (response.status === 401) throw fail('REGISTRY_DENIED', { registry: host, item: name });
  if (response.status !== 200)
    throw fail('REGISTRY_UNREACHABLE', {
      registry: host,
      reason: `HTTP ${response.status} for ${name}`,
    });
  // Computes the digest if the registry does not send this header.
  return response.headers['docker-content-digest'] ?? digestOf(await (await request('GET')).text());
}

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
