import { memorise, recall } from '../cache/checksum-record.ts';
import { fileTitle, type FileItem } from '../item.ts';
import { ask } from './fetch-text.ts';
import { listedSum, parseSums, publishedSum } from './checksum-file.ts';
import type { Depot } from './downloader.ts';
import { sourcesOf } from './sources.ts';

/** What a file must be, and who says so. */
export interface Sum {
  readonly sha256: string;
  /** "override", "checksums.txt", "dl.k8s.io" */
  readonly from: string;
  /** A mirror that told the sum: it may not serve the file, too. */
  readonly notFrom?: string;
  /** The user's own word. */
  readonly own?: boolean;
}

/** What is known without asking anybody: the cluster file, the user's file of sums, what was remembered. */
export async function knownSum(
  { cache, checksums: { file, lines } }: Pick<Depot, 'cache' | 'checksums'>,
  { sha256, url }: Pick<FileItem, 'sha256' | 'url'>,
): Promise<Sum | undefined> {
  if (sha256 !== undefined) return { sha256, from: 'override', own: true };
  const listed = listedSum(lines, url, file);
  if (listed !== undefined) return { sha256: listed, from: file, own: true };
  const remembered = await recall(cache.folder, url);
  return remembered && { sha256: remembered.sha256, from: remembered.from };
}

/** Asks the publisher, and where that cannot be reached mirrors: then another one has to serve the file. */
export async function askedSum(depot: Depot, item: FileItem, signal: AbortSignal): Promise<Sum | undefined> {
  if (item.sumUrl === undefined) return undefined;
  const places = sourcesOf(item.sumUrl, depot).toSorted((a, b) => Number(b.publisher) - Number(a.publisher));
  // A single mirror would be asked for both, which proves nothing.
  const mirrors = places.filter(({ publisher }) => !publisher);
  const asked = mirrors.length > 1 ? places : places.filter(({ publisher }) => publisher);
  for (const { url, site, publisher } of asked) {
    const answer = await ask(depot.http, url, { item: fileTitle(item), signal }, depot.patience);
    const sha256 = answer.type === 'text' ? publishedSum(parseSums(answer.text), item.url) : undefined;
    if (sha256 === undefined) continue;
    if (!publisher) return { sha256, from: site, notFrom: site };
    await memorise(depot.cache.folder, item.url, { sha256, from: site, size: 0 });
    return { sha256, from: site };
  }
  return undefined;
}
