import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { ask } from '../download/fetch-text.ts';
import type { Watch } from '../download/fetch-content.ts';
import { ACCEPTED } from './manifest.ts';
import type { Puller } from './pull.ts';
import { imageSources, parseReference } from './reference.ts';

/** What a tag stands for: the publisher is asked first, then mirrors, because a tag has no sum of its own. */
export async function askDigest(
  { depot, registries }: Puller,
  ref: string,
  { signal, say }: Watch,
): Promise<{ readonly digest: string; readonly from: string }> {
  const reference = parseReference(ref);
  const tried: string[] = [];
  const places = imageSources(reference, depot).toSorted((a, b) => Number(b.publisher) - Number(a.publisher));
  // With others to ask, the publisher gets one chance.
  const patience = places.length === 1 ? depot.patience : { ...depot.patience, tries: 1 };
  for (const { registry, repository, publisher } of places) {
    if (places.length > 1 && registries.silent.has(registry)) {
      tried.push(`${registry}: it gave no answer before`);
      continue;
    }
    const open = registries.get(registry);
    const place = open.url(`/v2/${repository}/manifests/${reference.tag}`);
    const request = { item: ref, headers: { accept: ACCEPTED }, signal };
    const answer = await ask(open.http, place, request, publisher ? patience : depot.patience);
    if (answer.type === 'text') {
      if (!publisher) say(`${ref}: ${registry} says what it is; its publisher could not be asked`);
      // What came is what counts, not what a header says of it.
      return { digest: `sha256:${createHash('sha256').update(answer.text).digest('hex')}`, from: registry };
    }
    if (answer.silent) registries.silent.add(registry);
    tried.push(`${place}: ${answer.reason}`);
  }
  throw fail('ARTIFACT_UNAVAILABLE', { item: ref, tried: tried.join('\n') });
}
