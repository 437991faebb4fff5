import type { Depot } from './download/downloader.ts';
import { sourcesOf } from './download/sources.ts';
import { knownSum } from './download/expected-checksum.ts';
import type { FileItem, ImageItem } from './item.ts';
import { imageSources, parseReference } from './oci/reference.ts';
import { findImage, recallImage } from './oci/image-store.ts';

/** What is known about a thing without asking anybody. */
export interface Known {
  readonly sha256: string | undefined;
  /** Who told the sum. */
  readonly sumFrom: string | undefined;
  /** Undefined until it was downloaded. */
  readonly size: number | undefined;
  /** Where it comes from: the cache, or who is asked first. */
  readonly from: string;
}

export async function inspectFile(depot: Depot, item: FileItem): Promise<Known> {
  const sum = await knownSum(depot, item);
  const blob = sum && (await depot.cache.find(sum.sha256));
  const [first] = sourcesOf(item.url, depot);
  return { sha256: sum?.sha256, sumFrom: sum?.from, size: blob?.size, from: blob ? 'cache' : (first?.site ?? '') };
}

export async function inspectImage(depot: Depot, { ref, arches, sha256 }: ImageItem): Promise<Known> {
  const [known, found] = await Promise.all([recallImage(depot.cache, ref), findImage(depot.cache, ref, arches)]);
  const [first] = imageSources(parseReference(ref), depot);
  const size =
    found && [...new Map(found.blobs.map((blob) => [blob.sha256, blob.size])).values()].reduce((a, b) => a + b, 0);
  return {
    sha256: sha256 ?? known?.digest.replace('sha256:', ''),
    sumFrom: sha256 === undefined ? known?.from : 'override',
    size,
    from: found ? 'cache' : (first?.registry ?? ''),
  };
}
