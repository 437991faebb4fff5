import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { fetchText } from '../download/fetch-text.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import { MANIFEST_TYPES } from './manifest.ts';
import type { Puller } from './registry.ts';
import { imageSources, parseReference } from './reference.ts';

/** Resolves a tag to a digest. Asks the publisher before mirrors, because a tag cannot be verified. */
export async function resolveTag(
  { downloader, registries }: Puller,
  ref: string,
  { signal, say }: TransferContext,
): Promise<{ readonly digest: string; readonly from: string }> {
  const reference = parseReference(ref);
  const failures: string[] = [];
  const sources = imageSources(reference, downloader).toSorted((a, b) => Number(b.publisher) - Number(a.publisher));
  // The publisher gets one attempt if there are mirrors.
  const publisherRetry = sources.length === 1 ? downloader.retry : { ...downloader.retry, attempts: 1 };
  for (const { registry: host, repository, publisher } of sources) {
    if (sources.length > 1 && registries.unresponsive.has(host)) {
      failures.push(`${host}: it did not respond before`);
      continue;
    }
    const registry = registries.get(host);
    const url = registry.url(`/v2/${repository}/manifests/${reference.tag}`);
    const request = { item: ref, headers: { accept: MANIFEST_TYPES }, signal };
    const response = await fetchText(registry.http, url, request, publisher ? publisherRetry : downloader.retry);
    if (response.type === 'text') {
      if (!publisher) say(`${ref}: tag resolved by mirror ${host}, because the publisher is unavailable`);
      // Computed from the content: the digest header is not trusted.
      return { digest: `sha256:${createHash('sha256').update(response.text).digest('hex')}`, from: host };
    }
    if (response.unresponsive) registries.unresponsive.add(host);
    failures.push(`${url}: ${response.reason}`);
  }
  throw fail('ARTIFACT_UNAVAILABLE', { item: ref, tried: failures.join('\n') });
}
