import type { Depot } from './download/depot.ts';
import { sourcesOf } from './download/sources.ts';
import { knownSum, type Sum } from './download/sum.ts';
import type { FileItem } from './item.ts';

/** What is known about a file without asking anybody. */
export interface FileState {
  readonly item: FileItem;
  readonly sum: Sum | undefined;
  /** Undefined until it was downloaded. */
  readonly size: number | undefined;
  /** Where it comes from: the cache, or who is asked first. */
  readonly from: string;
}

export async function inspectFile(depot: Depot, item: FileItem): Promise<FileState> {
  const sum = await knownSum(depot, item);
  const blob = sum && (await depot.cache.find(sum.sha256));
  const [first] = sourcesOf(item.url, depot);
  return { item, sum, size: blob?.size, from: blob ? 'cache' : (first?.site ?? '') };
}
