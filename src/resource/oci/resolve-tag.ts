import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { fetchText } from '../download/fetch-text.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import type { ImageItem } from '../item.ts';
import { mirrorOrigin } from '../trust.ts';
import type { ExpectedDigest } from './expected-digest.ts';
import { MANIFEST_TYPES } from './manifest.ts';
import type { Puller } from './registry.ts';
import { imageSources, parseReference } from './reference.ts';

/** Resolves a tag to a digest at the publisher, or at a mirror if the cluster file trusts mirrors. */
export async function resolveTag(
  { downloader, registries }: Puller,
  { ref, name }: Pick<ImageItem, 'ref' | 'name'>,
  { signal, say }: TransferContext,
): Promise<ExpectedDigest> {
  const reference = parseReference(ref);
  const failures: string[] = [];
  const all = imageSources(reference, downloader).toSorted((a, b) => Number(b.publisher) - Number(a.publisher));
  const sources = all.filter(({ publisher }) => publisher || downloader.trust.trustMirror);
  // If there are mirrors, the publisher gets only one attempt.
  const publisherRetry = all.length === 1 ? downloader.retry : { ...downloader.retry, attempts: 1 };
  for (const { registry: host, repository, publisher } of sources) {
    if (all.length > 1 && registries.unresponsive.has(host)) {
      failures.push(`${host}: skipped, because it did not respond earlier`);
      continue;
    }
    const registry = registries.get(host);
    const url = registry.url(`/v2/${repository}/manifests/${reference.tag}`);
    const request = { item: ref, headers: { accept: MANIFEST_TYPES }, signal };
    const response = await fetchText(registry.http, url, request, publisher ? publisherRetry : downloader.retry);
    if (response.type === 'text') {
      if (!publisher) say(`${ref}: tag resolved by mirror ${host}, because the publisher is unavailable`);
      // Computes the digest from the content, because the digest header is not trusted.
      const digest = `sha256:${createHash('sha256').update(response.text).digest('hex')}`;
      return { digest, from: publisher ? host : mirrorOrigin(host) };
    }
    if (response.unresponsive) registries.unresponsive.add(host);
    failures.push(`${url}: ${response.reason}`);
  }
  if (sources.length < all.length) throw fail('DIGEST_UNKNOWN', { image: ref, name, why: failures.join('\n') });
  throw fail('ARTIFACT_UNAVAILABLE', { item: ref, tried: failures.join('\n') });
}
